//! Addresses that no other process is given meanwhile.
use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr};

/// An address at which nobody listens: connections are refused. A server of the test may listen there.
///
/// Its socket stays bound until the tests end. A port that is free only now may be another process's in a moment.
pub fn reserved() -> SocketAddr {
    let bound = || {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        // Linux lets a server, which sets it as well, listen beside a socket that does not.
        socket.set_reuse_address(true)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        let address = socket.local_addr()?;
        std::mem::forget(socket);
        Ok::<_, std::io::Error>(address)
    };
    bound().ok().and_then(|address| address.as_socket()).expect("a free port")
}
