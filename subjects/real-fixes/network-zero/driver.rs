//! Tells mask and size of networks: driver NETWORK...
use ipnetwork::IpNetwork;
use std::env;

fn main() {
    for text in env::args().skip(1) {
        match text.parse::<IpNetwork>() {
            Ok(IpNetwork::V4(network)) => println!("{} {}", network.mask(), network.size()),
            Ok(IpNetwork::V6(network)) => println!("{} {}", network.mask(), network.size()),
            Err(_) => println!("no network"),
        }
    }
}
