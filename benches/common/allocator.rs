//! The program's allocator, so that a bench measures what the program does.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
