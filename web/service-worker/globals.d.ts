/** Background sync, which not all browsers have. */
interface ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
}

/** Replaced by scripts/build-service-worker.ts. */

/** A digest of this build. */
declare const __BUILD__: string
/** The path of the script that only the document of this build loads. */
declare const __ENTRY__: string
/** The paths of the files that a page of this build may need. */
declare const __FILES__: string[]
/** The paths of further files, which are kept once a page has used them. */
declare const __FILES_IN_USE__: string[]
