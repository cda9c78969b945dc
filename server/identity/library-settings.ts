/** Deletes environment variables that the library would read on its own, bypassing our configuration. */
export function deleteLibrarySettings() {
  for (const name of Object.keys(process.env)) {
    if (/^(NEXT_PUBLIC_|PUBLIC_|NUXT_PUBLIC_)?(BETTER_)?AUTH_|^BASE_URL$/.test(name)) delete process.env[name]
  }
}
