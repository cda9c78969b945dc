/** What the names of the service worker's caches of program files begin with. They contain nothing of any person. */
export const SHELL_CACHES = 'parley shell '
/** An attribute of the document's root if it comes from such a cache, not from the server. */
export const SHELL_MARK = 'data-shell'
