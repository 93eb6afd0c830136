// Groups scopes by area: read and write, or a single scope for operators.
import { type Scope, screenRules } from '@/core';
import type { UserInfo } from '@/stores/user';

export interface Area {
  /** Text key of the area. */
  name: string;
  read?: Scope;
  write?: Scope;
  /** Whether the area has a single scope. */
  all?: Scope;
}

/** Areas of the scopes available at this level, in the order of core's table. */
export function areasOf(level: UserInfo['Level']): Area[] {
  const areas = new Map<string, Area>();
  for (const scope of screenRules().apiKeyScopes(level)) {
    const [name = scope, kind] = scope.split(':');
    const area = areas.get(name) ?? { name };
    if (kind === 'read') area.read = scope;
    else if (kind === 'write') area.write = scope;
    else area.all = scope;
    areas.set(name, area);
  }
  return [...areas.values()];
}
