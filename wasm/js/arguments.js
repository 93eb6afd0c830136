// Checks of texts and bytes before they are copied into the memory of wasm. All other arguments are checked by Rust.
import { CoreError } from './errors.js';

const refuse = (name, value, expected) => {
  const reason = value === undefined ? 'missing' : `expected ${expected}`;
  throw new CoreError('WrongArgument', `${name}: ${reason}`, {});
};

export function checkText(name, value) {
  if (typeof value !== 'string') refuse(name, value, 'a string');
}

// By its tag: bytes of another frame are no instance of this one's class.
export function checkBytes(name, value) {
  if (Object.prototype.toString.call(value) !== '[object Uint8Array]') refuse(name, value, 'a Uint8Array');
}
