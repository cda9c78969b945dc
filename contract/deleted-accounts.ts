/** The name of people who deleted their account; the browser translates it. */
export const DELETED_NAME = 'Deleted account'
