/** An in-memory localStorage. As in a browser, its entries are own properties. */
class DeviceStorage {
  [key: string]: unknown
  get length() {
    return Object.keys(this).length
  }
  key(at: number) {
    return Object.keys(this)[at] ?? null
  }
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key]
  }
}

// Node's own needs a file, and prints a warning.
globalThis.localStorage = new DeviceStorage() as unknown as Storage
