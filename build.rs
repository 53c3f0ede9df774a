//! Links the program so that it starts sooner: it stands at a fixed place, so that nothing in it is moved when it is
//! loaded, and brings the C library with it, or at least what it needs to unwind, where the C compiler has these to be
//! linked in.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") != "linux" || target("ENV") != "gnu" {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    if let Some(folder) = whole() {
        println!("cargo:rustc-link-arg-bins=-static");
        println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    } else if let Some(folder) = found("libgcc_eh.a").as_deref().and_then(Path::parent) {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// A folder in which the libraries that are asked for by their shared names are those to be linked in, if the C compiler
/// has all of them.
fn whole() -> Option<PathBuf> {
    let [c, m, unwind, compiler] = ["libc.a", "libm.a", "libgcc_eh.a", "libgcc.a"].map(found);
    let (c, m, unwind, compiler) = (c?, m?, unwind?, compiler?);
    let folder = PathBuf::from(env::var_os("OUT_DIR")?).join("whole");
    fs::create_dir_all(&folder).ok()?;
    let all = format!("GROUP ( {} {} {} {} )\n", unwind.display(), compiler.display(), c.display(), m.display());
    for name in ["libc.so", "libm.so", "libgcc_s.so"] {
        fs::write(folder.join(name), &all).ok()?;
    }
    Some(folder)
}

/// Where the C compiler has a library.
fn found(library: &str) -> Option<PathBuf> {
    let told = Command::new("cc").arg(format!("-print-file-name={library}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
    (path.is_absolute() && path.exists()).then_some(path)
}
