//! The slots of a table. Large ones stand on large pages where the system has such: a table is read all over, and
//! with small pages most of the time would go into finding them.

use memmap2::MmapMut;

/// Two numbers in each slot, all 0 at first.
#[derive(Debug)]
pub(super) struct Slots {
    held: Held,
    len: usize,
}

#[derive(Debug)]
enum Held {
    Small(Vec<[u64; 2]>),
    Large(MmapMut),
}

/// From how many bytes on a table is large.
const LARGE: usize = 4 << 20;

impl Default for Slots {
    /// None.
    fn default() -> Self {
        Self { held: Held::Small(Vec::new()), len: 0 }
    }
}

impl Clone for Slots {
    fn clone(&self) -> Self {
        let mut slots = Self::new(self.len);
        slots.all_mut().copy_from_slice(self.all());
        slots
    }
}

impl Slots {
    /// So many.
    pub(super) fn new(len: usize) -> Self {
        let held = large(len.saturating_mul(size_of::<[u64; 2]>()))
            .map_or_else(|| Held::Small(vec![[0; 2]; len]), Held::Large);
        Self { held, len }
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn all(&self) -> &[[u64; 2]] {
        match &self.held {
            Held::Small(slots) => slots,
            Held::Large(bytes) => bytemuck::cast_slice(bytes),
        }
    }

    #[inline]
    pub(super) fn all_mut(&mut self) -> &mut [[u64; 2]] {
        match &mut self.held {
            Held::Small(slots) => slots,
            Held::Large(bytes) => bytemuck::cast_slice_mut(bytes),
        }
    }
}

/// Memory on large pages, if it is much, and if the system gives it.
fn large(bytes: usize) -> Option<MmapMut> {
    if bytes < LARGE {
        return None;
    }
    let map = MmapMut::map_anon(bytes).ok()?;
    #[cfg(target_os = "linux")]
    map.advise(memmap2::Advice::HugePage).ok()?;
    Some(map)
}
