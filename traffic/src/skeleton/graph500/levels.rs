//! How the frontier of a search grows in a Kronecker graph.
//!
//! The generator of the benchmark (R-MAT: Chakrabarti, Zhan, Faloutsos, *R-MAT: A Recursive Model for Graph Mining*, SDM
//! 2004, with A = 0.57, B = C = 0.19, D = 0.05) chooses both ends of an edge bit by bit. A vertex with k ones among the
//! `scale` bits of its (not yet renumbered) label therefore is an end of an edge with probability 0.76^(scale - k) 0.24^k,
//! and there are (scale choose k) of them: a handful of classes with known expected degrees. The two ends are nearly
//! independent (A D = 0.0285, B C = 0.0361), so that the graph is close to a random graph with given expected degrees
//! (Norros and Reittu, *On a conditionally Poissonian graph process*, 2006), in which a search is easily followed in the
//! mean: a vertex of degree d stays unseen in a level with probability exp(-d f), f being the frontier's share of all ends
//! of edges.

/// Probability that a bit of an end of an edge is 0: A + B.
const ZERO: f64 = 0.76;

/// What a level of a search does, in the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Vertices in the frontier.
    pub vertices: f64,
    /// Ends of edges at these, each of which is looked at.
    pub edges: f64,
}

/// A Kronecker graph in the mean: classes of vertices by the ones in their labels.
pub struct Graph {
    /// Vertices of each class.
    vertices: Vec<f64>,
    /// Expected degree of each class.
    degree: Vec<f64>,
    /// Ends of all edges.
    ends: f64,
}

impl Graph {
    /// A graph with 2^scale vertices and `edge_factor` times as many edges.
    pub fn new(scale: u32, edge_factor: u64) -> Graph {
        let ends = 2.0 * edge_factor as f64 * f64::from(scale).exp2();
        let mut vertices = vec![1.0];
        for ones in 1..=scale {
            let before = vertices[ones as usize - 1];
            vertices.push(before * f64::from(scale - ones + 1) / f64::from(ones));
        }
        let degree = (0..=scale).map(|ones| ends * ZERO.powi((scale - ones) as i32) * (1.0 - ZERO).powi(ones as i32));
        Graph { vertices, degree: degree.collect(), ends }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.vertices.len()
    }

    /// The class of a root: `share` in [0, 1) of all vertices that have an edge lie before it.
    pub fn root(&self, share: f64) -> usize {
        let connected = |class: usize| self.vertices[class] * -(-self.degree[class]).exp_m1();
        let mut left = share * (0..self.classes()).map(connected).sum::<f64>();
        for class in 0..self.classes() {
            left -= connected(class);
            if left < 0.0 {
                return class;
            }
        }
        0
    }

    /// The levels of a search from a root of this class, the last one being that in which nothing new is found.
    pub fn levels(&self, root: usize) -> Vec<Level> {
        let mut unseen = self.vertices.clone();
        unseen[root] -= 1.0;
        // The root has an edge, or the search would not have begun.
        let degree = self.degree[root] / -(-self.degree[root]).exp_m1();
        let mut frontier = Level { vertices: 1.0, edges: degree };
        // Share of all ends of edges that vertices seen before the frontier have.
        let mut seen = 0.0;
        let mut levels = Vec::new();
        while frontier.vertices >= 0.5 && levels.len() < 100 {
            levels.push(frontier);
            let share = (frontier.edges / self.ends).min(1.0 - seen);
            let mut next = Level { vertices: 0.0, edges: 0.0 };
            for (unseen, &degree) in unseen.iter_mut().zip(&self.degree) {
                let still = *unseen * (-degree * share).exp();
                next.vertices += *unseen - still;
                // Edges of those who have none to what was seen, before and after.
                next.edges += degree * (*unseen * (1.0 - seen) - still * (1.0 - seen - share));
                *unseen = still;
            }
            seen += share;
            frontier = next;
        }
        levels
    }
}
