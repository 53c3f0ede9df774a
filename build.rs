//! Links the program so that it starts sooner: it stands at a fixed place, so that nothing in it is moved when it is
//! loaded, and brings with it what it needs to unwind, where the C compiler has that.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    if let Some(folder) = folder_of("libgcc_eh.a") {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// The folder of a library of the C compiler.
fn folder_of(library: &str) -> Option<PathBuf> {
    let told = Command::new("cc").arg(format!("-print-file-name={library}")).output().ok()?;
    let path = String::from_utf8(told.stdout).ok()?;
    let path = Path::new(path.trim());
    if path.is_absolute() && path.exists() { path.parent().map(Path::to_path_buf) } else { None }
}
