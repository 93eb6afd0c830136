//! The rules of Postern: pure functions and types that the server and the browser share.
