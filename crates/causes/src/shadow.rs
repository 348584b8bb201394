//! Which node wrote each byte of the emulated memory last.

use whydunit_replay::{PAGE, PageIndex};

use crate::nodes::{BEFORE, NodeId};

/// Index of a page that nothing was written to.
const ABSENT: u32 = u32::MAX;
type Page = [NodeId; PAGE];

/// A node for each byte; [`BEFORE`] where nothing was written.
pub struct Shadow {
    pages: Vec<Box<Page>>,
    index: PageIndex,
}

impl Default for Shadow {
    fn default() -> Self {
        Self { pages: Vec::new(), index: PageIndex::new(ABSENT) }
    }
}

impl Shadow {
    #[inline]
    fn look(&mut self, address: u64) -> Option<usize> {
        let index = self.index.get(address / PAGE as u64);
        (index != ABSENT).then_some(index as usize)
    }

    #[inline]
    fn page(&mut self, address: u64) -> &mut Page {
        let index = match self.look(address) {
            Some(index) => index,
            None => self.new_page(address),
        };
        &mut self.pages[index]
    }

    #[cold]
    fn new_page(&mut self, address: u64) -> usize {
        let index = self.pages.len();
        self.pages.push(Box::new([BEFORE; PAGE]));
        self.index.set(address / PAGE as u64, index as u32);
        index
    }

    /// The latest of the nodes that wrote `N` bytes.
    #[inline]
    fn latest_of<const N: usize>(&mut self, address: u64) -> NodeId {
        let offset = address as usize % PAGE;
        if offset > PAGE - N {
            return self.latest_bytes(address, N as u64);
        }
        let Some(index) = self.look(address) else { return BEFORE };
        self.pages[index][offset..offset + N].iter().fold(BEFORE, |latest, &node| latest.max(node))
    }

    #[cold]
    fn latest_bytes(&mut self, address: u64, size: u64) -> NodeId {
        (0..size).map(|i| self.latest_of::<1>(address.wrapping_add(i))).max().unwrap_or(BEFORE)
    }

    /// The latest of the nodes that wrote any of these bytes.
    #[inline]
    pub fn latest(&mut self, address: u64, size: u32) -> NodeId {
        match size {
            1 => self.latest_of::<1>(address),
            2 => self.latest_of::<2>(address),
            4 => self.latest_of::<4>(address),
            8 => self.latest_of::<8>(address),
            n => self.latest_bytes(address, n.into()),
        }
    }

    #[inline]
    fn set_of<const N: usize>(&mut self, address: u64, node: NodeId) {
        let offset = address as usize % PAGE;
        if offset > PAGE - N {
            return self.set_range(address, N as u64, node);
        }
        self.page(address)[offset..offset + N].copy_from_slice(&[node; N]);
    }

    /// A node wrote these bytes.
    #[inline]
    pub fn set(&mut self, address: u64, size: u64, node: NodeId) {
        match size {
            1 => self.set_of::<1>(address, node),
            2 => self.set_of::<2>(address, node),
            4 => self.set_of::<4>(address, node),
            8 => self.set_of::<8>(address, node),
            n => self.set_range(address, n, node),
        }
    }

    #[cold]
    fn set_range(&mut self, address: u64, size: u64, node: NodeId) {
        let (mut at, mut left) = (address, size);
        while left > 0 {
            let offset = at as usize % PAGE;
            let n = left.min((PAGE - offset) as u64) as usize;
            self.page(at)[offset..offset + n].fill(node);
            at = at.wrapping_add(n as u64);
            left -= n as u64;
        }
    }

    /// Bytes were moved; the ranges may overlap.
    pub fn moved(&mut self, to: u64, from: u64, size: u64) {
        let mut nodes = vec![BEFORE; size as usize];
        let mut done = 0;
        while done < nodes.len() {
            let at = from.wrapping_add(done as u64);
            let offset = at as usize % PAGE;
            let n = (PAGE - offset).min(nodes.len() - done);
            if let Some(index) = self.look(at) {
                nodes[done..done + n].copy_from_slice(&self.pages[index][offset..offset + n]);
            }
            done += n;
        }
        done = 0;
        while done < nodes.len() {
            let at = to.wrapping_add(done as u64);
            let offset = at as usize % PAGE;
            let n = (PAGE - offset).min(nodes.len() - done);
            self.page(at)[offset..offset + n].copy_from_slice(&nodes[done..done + n]);
            done += n;
        }
    }

    /// Forgets everything; the pages are kept for what comes.
    pub fn clear(&mut self) {
        for page in &mut self.pages {
            page.fill(BEFORE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cross_pages_and_move() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.latest(4092, 8), BEFORE);
        shadow.set(4092, 8, 7);
        shadow.set(4095, 1, 9);
        assert_eq!((shadow.latest(4092, 2), shadow.latest(4092, 4), shadow.latest(4096, 4)), (7, 9, 7));
        assert_eq!(shadow.latest(4100, 4), BEFORE);
        shadow.moved(4093, 4092, 6);
        assert_eq!((shadow.latest(4095, 1), shadow.latest(4096, 1), shadow.latest(4092, 1)), (7, 9, 7));
        shadow.moved(8192, 12288, 8);
        assert_eq!(shadow.latest(8192, 8), BEFORE);
        shadow.clear();
        assert_eq!(shadow.latest(4092, 8), BEFORE);
    }
}
