/** From the most to the fewest rights. There is one owner; guests see only their channels and the people in them. */
export const roles = ['owner', 'admin', 'member', 'guest'] as const
export type Role = (typeof roles)[number]
