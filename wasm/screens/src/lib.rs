//! The rules that only some screens need, each for the screens of its name: a wasm file that is loaded when the first of them is opened.
mod account;
mod endpoints;
mod operator;
mod residential;
