use super::Shape;

pub struct Circle {
    radius: f64,
    grown: u32,
}

impl Circle {
    pub(crate) fn unit() -> Self {
        Circle { radius: 1.0, grown: 0 }
    }

    pub fn grow(&mut self, by: f64) {
        self.radius *= by;
        self.count();
    }

    fn count(&mut self) {
        self.grown += 1;
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }

    fn named() -> String {
        "circle".to_string()
    }
}
