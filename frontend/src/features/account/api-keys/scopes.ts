// Scopes by what they are about: an area with reading, writing, or, for operators, one scope for all.
import { account, type Scope } from '@/core';
import type { UserInfo } from '@/stores/user';

export interface Area {
  /** Names the area in the texts. */
  name: string;
  read?: Scope;
  write?: Scope;
  /** The area has one scope alone. */
  all?: Scope;
}

/** The areas of the scopes that a key of this level can have, in the order of core's table. */
export function areasOf(level: UserInfo['Level']): Area[] {
  const areas = new Map<string, Area>();
  for (const scope of account().apiKeyScopes(level)) {
    const [name = scope, kind] = scope.split(':');
    const area = areas.get(name) ?? { name };
    if (kind === 'read') area.read = scope;
    else if (kind === 'write') area.write = scope;
    else area.all = scope;
    areas.set(name, area);
  }
  return [...areas.values()];
}
