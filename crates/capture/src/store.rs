//! The store, as the faces and the flavours use it; its layout is documented at [`whydunit_face::store`].

pub use whydunit_face::store::*;
