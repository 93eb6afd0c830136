// Compiles and instantiates a wasm file from a URL, a response, bytes or a compiled module.
export async function instantiate(source, imports) {
  const given = typeof source === 'string' || source instanceof URL ? await fetch(source) : source;
  if (!(given instanceof Response)) {
    const result = await WebAssembly.instantiate(given, imports);
    return result instanceof WebAssembly.Instance ? result : result.instance;
  }
  if (!given.ok) throw new Error(`${given.url}: HTTP ${given.status}`);
  // Streaming compilation requires the server to send the MIME type application/wasm.
  const isTyped = given.headers.get('Content-Type')?.split(';')[0].trim() === 'application/wasm';
  const { instance } = isTyped
    ? await WebAssembly.instantiateStreaming(given, imports)
    : await WebAssembly.instantiate(await given.arrayBuffer(), imports);
  return instance;
}
