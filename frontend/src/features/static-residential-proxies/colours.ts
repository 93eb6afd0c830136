// Colours offered for groups. A group stores the value, so that API clients may use any other.
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
