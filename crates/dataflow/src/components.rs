//! Strongly connected components (Tarjan, "Depth-First Search and Linear Graph Algorithms"), without recursion.

/// The components of a graph, each before those that lead to it: what a node leads to comes no later than the node.
pub fn components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; successors.len()];
    let mut low = vec![0; successors.len()];
    let mut open = vec![false; successors.len()];
    let (mut stack, mut out, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..successors.len() as u32 {
        let mut path = if number[root as usize] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, edge)) = path.pop() {
            let at = node as usize;
            if edge == 0 {
                (number[at], low[at], open[at]) = (next, next, true);
                next += 1;
                stack.push(node);
            } else {
                low[at] = low[at].min(low[successors[at][edge - 1] as usize]);
            }
            // What is closed already is in another component.
            let rest = successors[at].iter().enumerate().skip(edge);
            let mut down = None;
            for (index, &to) in rest {
                if number[to as usize] == NEW {
                    down = Some((index + 1, to));
                    break;
                }
                if open[to as usize] {
                    low[at] = low[at].min(number[to as usize]);
                }
            }
            if let Some((edge, to)) = down {
                path.push((node, edge));
                path.push((to, 0));
            } else if low[at] == number[at] {
                let start = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = stack.split_off(start);
                component.iter().for_each(|&member| open[member as usize] = false);
                out.push(component);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn what_is_called_comes_before_what_calls() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 4, 4 -> 3
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4, 3]]);
        let sorted: Vec<Vec<u32>> = found
            .into_iter()
            .map(|mut component| {
                component.sort_unstable();
                component
            })
            .collect();
        assert_eq!(sorted, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    /// Against the definition, on random graphs: two nodes are of one component when each reaches the other.
    #[test]
    fn components_agree_with_the_definition() {
        let mut state = 7u32;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 16) as usize % below
        };
        for _ in 0..300 {
            let n = 1 + next(9);
            let edges: Vec<Vec<u32>> = (0..n).map(|_| (0..next(4)).map(|_| next(n) as u32).collect()).collect();
            let reaches = |from: usize| {
                let (mut seen, mut todo) = (vec![false; n], vec![from]);
                while let Some(node) = todo.pop() {
                    if !std::mem::replace(&mut seen[node], true) {
                        todo.extend(edges[node].iter().map(|&to| to as usize));
                    }
                }
                seen
            };
            let reached: Vec<Vec<bool>> = (0..n).map(reaches).collect();
            let found = components(&edges);
            let mut place = vec![0; n];
            for (number, component) in found.iter().enumerate() {
                component.iter().for_each(|&node| place[node as usize] = number);
            }
            for a in 0..n {
                for b in 0..n {
                    assert_eq!(place[a] == place[b], reached[a][b] && reached[b][a], "{edges:?}");
                    assert!(!reached[a][b] || place[b] <= place[a], "{edges:?}");
                }
            }
        }
    }
}
