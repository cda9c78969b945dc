import type { People } from './fixture.ts'

type Statuses = [number, number, number, number]

const forOwner = (status: number) => ({
  private: [403, 403, 403, 403] as Statuses,
  direct: [403, 403] as [number, number],
  admin: status,
})

/** Calls about imports. */
export const importRows = {
  listImports: { input: () => ({}), ...forOwner(200) },
  // Used once: only one import can be open at a time.
  uploadImport: {
    input: () => ({ body: { file: new Blob(['quartz']) } }),
    private: [403, 403, 403, 403] as Statuses,
    admin: 201,
  },
  startImport: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' }, body: {} }),
    ...forOwner(404),
  },
  readTopics: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' }, body: { as: 'channels' } }),
    ...forOwner(404),
  },
  retryImport: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' }, body: {} }),
    ...forOwner(404),
  },
  acceptImport: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forOwner(404),
  },
  readUndoLosses: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forOwner(404),
  },
  undoImport: {
    input: () => ({ params: { importId: '0199a1de-0000-7000-8000-000000000000' } }),
    ...forOwner(404),
  },
  listUnclaimed: { input: () => ({}), ...forOwner(200) },
  createClaim: { input: (_: unknown, { zed }: People) => ({ params: { userId: zed.id } }), ...forOwner(404) },
}
