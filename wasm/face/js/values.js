// Serialises arguments for the rules as one JSON text.

// JSON.stringify would write null for NaN and infinities, which means an absent value; every integer type rejects a fraction.
const NOT_WHOLE = 0.5;

const finite = (_key, value) => (typeof value === 'number' && !Number.isFinite(value) ? NOT_WHOLE : value);

/** Undefined for values without JSON text, such as functions; throws for values that cannot be serialised. */
export const textOf = (value) => JSON.stringify(value, finite);
