//! The program `gameproof`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    gameproof::cli::run()
}
