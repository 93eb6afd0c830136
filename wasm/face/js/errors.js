// The error class of the package. Its types are in wasm/face/src/errors.rs.
export class CoreError extends Error {
  constructor(code, message, fields) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}
CoreError.prototype.name = 'CoreError';
