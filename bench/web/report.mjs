// A table of results with their bounds.
let missed = 0;

export function line(name, number, bound, isKept) {
  if (!isKept) missed += 1;
  console.log(`  ${name.padEnd(38)} ${number.padEnd(34)} ${bound}: ${isKept ? 'kept' : 'MISSED'}`);
}

export const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

export const thirdQuartile = (numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * 0.75)];

/** Minimum and maximum. */
export const spread = (numbers, written) => `(${written(Math.min(...numbers))} to ${written(Math.max(...numbers))})`;

/** Prints the result; returns the exit code. */
export function verdict() {
  console.log(missed ? `\n${missed} bounds missed` : '\nall bounds kept');
  return missed ? 1 : 0;
}
