import type { Access } from '../access/access.ts';

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** How callers authenticate. */
export const securitySchemes = {
  token: header('token', 'Token of a login'),
  appName: header('app-name', 'Acronym of the calling system'),
  apiKey: header('api-key', 'Access key of the calling system'),
};

/** The required permission as a sentence. */
export function permissionSentence(access: Access): string {
  const key = access.apiKey ? ' Needs the `app-name` and `api-key` headers.' : '';
  if (access.kind === 'public') return `Needs no token.${key}`;
  if (access.kind === 'level') return `Needs level ${access.level} on \`${access.controller}\`.${key}`;
  if (access.managers) return `Needs a token of somebody with level 3 on a controller.${key}`;
  if (access.readers)
    return `Needs a token: one's own; another's needs level 1 on \`${access.readers}\`.${key}`;
  const others = access.others ? `; another's needs level 3 on \`${access.others}\`` : '';
  return `Needs a token: one's own${others}.${key}`;
}

/** The required headers. */
export function securityOf(access: Access): object[] {
  return [
    { ...(access.kind !== 'public' && { token: [] }), ...(access.apiKey && { appName: [], apiKey: [] }) },
  ];
}
