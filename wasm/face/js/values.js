// Arguments on their way into the rules, as one JSON text.

// JSON would write null for it, which means that nothing was given: a fraction is refused wherever a whole number is asked for.
const NOT_WHOLE = 0.5;

const finite = (_key, value) => (typeof value === 'number' && !Number.isFinite(value) ? NOT_WHOLE : value);

/** Undefined for what has no text, such as a function; throws for what is no plain value. */
export const textOf = (value) => JSON.stringify(value, finite);
