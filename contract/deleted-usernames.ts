/** With a character that usernames cannot contain, so nobody can take or mention it. */
const PREFIX = 'deleted~'

/** Short, because it is seen where usernames are. */
export const deletedUsername = (userId: string) => `${PREFIX}${userId.slice(-12)}`
export const isDeletedUsername = (username: string) => username.startsWith(PREFIX)
