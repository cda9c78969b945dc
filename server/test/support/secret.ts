/** The secret of the workspaces of tests. */
export const SECRET = 'a-secret-that-only-the-tests-have'
