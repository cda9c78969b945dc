/** Contains a character that usernames cannot, so nobody can take or mention it. */
const PREFIX = 'deleted~'

/** Short, because it is shown wherever usernames are. */
export const deletedUsername = (userId: string) => `${PREFIX}${userId.slice(-12)}`
export const isDeletedUsername = (username: string) => username.startsWith(PREFIX)
