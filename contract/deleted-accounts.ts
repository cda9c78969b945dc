/** What whoever deleted their account is called from then on; the browser shows it in its language. */
export const DELETED_NAME = 'Deleted account'
