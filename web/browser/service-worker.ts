/** Registers the service worker, with which Parley opens without a network. Not in development, where files have no hashes. */
export async function registerServiceWorker() {
  // Browsers have none on plain HTTP, and in some private windows.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/service-worker.js')
  } catch (error) {
    console.warn('The service worker could not be registered:', error)
  }
}
