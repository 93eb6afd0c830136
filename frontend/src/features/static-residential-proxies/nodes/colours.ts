// The colours that groups are offered in. A group keeps the value, so that another program may choose any other.
export const GROUP_COLOURS = [
  { name: 'grey', value: '' },
  { name: 'red', value: '#d64545' },
  { name: 'orange', value: '#e0832c' },
  { name: 'green', value: '#3a9d5d' },
  { name: 'teal', value: '#1f9ea3' },
  { name: 'blue', value: '#3d7be0' },
  { name: 'violet', value: '#8457d6' },
  { name: 'pink', value: '#d9569b' },
] as const;
