//! Work on a connection, whatever its type: the way to a thread and a connection is compiled once for all of it.
use crate::db::conn::Conn;
use crate::error::AppError;
use std::any::Any;

/// The result of any work.
pub type Anything = Box<dyn Any + Send>;

pub type ReadWork<'a> = Box<dyn FnOnce(&mut Conn) -> Result<Anything, AppError> + 'a>;

/// For another thread.
pub type SendReadWork = Box<dyn FnOnce(&mut Conn) -> Result<Anything, AppError> + Send>;

/// May run again, when the database asks for a retry.
pub type WriteWork = Box<dyn FnMut(&mut Conn) -> Result<Anything, AppError> + Send>;

pub fn anything<T: Send + 'static>(result: Result<T, AppError>) -> Result<Anything, AppError> {
    Ok(Box::new(result?))
}

/// Panics for a result of another type.
pub fn unpack<T: 'static>(result: Anything) -> T {
    *result.downcast().expect("the type that the work returned")
}
