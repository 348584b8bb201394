pub mod circle;

/// A trait with a method that it provides and one that is called on no object.
pub trait Shape {
    fn area(&self) -> f64;

    fn describe(&self) -> String {
        format!("of {:.1}", self.area())
    }

    fn named() -> String
    where
        Self: Sized;
}
