//! What is shown: one pure writer for each format, from findings to text.

mod diagnostic;
mod human;
mod jsonl;
mod markdown;
mod record;

pub use diagnostic::diagnostic;
pub use human::{Report, Tally, template};
pub use jsonl::{AnswerJson, jsonl, written_json};
pub use markdown::Table;
pub use record::{Changed, Changes, MachineFacts, changed, facts, record_lines};
