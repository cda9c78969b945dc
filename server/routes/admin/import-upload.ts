import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { type Import, uploadImport } from '#contract/imports'
import { limits } from '#contract/limits'
import { newId } from '../../db/ids.ts'
import { AppError, conflict, fileTooLarge, invalid, invalidField } from '../../errors.ts'
import { decodeFormFileName, sanitizeFileName } from '../../files/file-name.ts'
import { countIncoming } from '../../files/incoming-stream.ts'
import { importKeyOf } from '../../imports/stored-archive.ts'
import { byteRoute } from '../../route.ts'

const MAX_BYTES = limits.imports.gigabytes * 1024 ** 3
const FORM_LIMITS = { fields: 5, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 6, headerPairs: 20 }

interface Options {
  requireOwner: (me: string) => Promise<void>
  readOne: (importId: string) => Promise<Import>
}

/** Mounts the upload of an archive, which is streamed to the storage. */
export function mountImportUpload(app: FastifyInstance, { requireOwner, readOne }: Options) {
  const { db, importing, storage } = app
  void app.register(multipart, { limits: { ...FORM_LIMITS, fileSize: Number.MAX_SAFE_INTEGER } })

  byteRoute(app, uploadImport, async ({ me, request, reply }) => {
    await requireOwner(me)
    await refuseSecond()
    const archiveId = newId()
    try {
      const { fileName, size } = await receive(request, me, archiveId)
      await requireOwner(me)
      const id = newId()
      await db
        .insertInto('imports')
        .values({ id, userId: me, fileName, size, archiveId })
        .execute()
        .catch((error) => {
          if (error.constraint === 'imports_oneOpen') throw isOpen()
          throw error
        })
      importing.wake()
      return await reply.status(201).send(uploadImport.reply.parse(await readOne(id)))
    } catch (error) {
      await storage.remove([importKeyOf(archiveId)])
      throw error
    }
  })

  const isOpen = () => conflict('import_open', 'errors.importOpen')
  async function refuseSecond() {
    const open = db.selectFrom('imports').select('id').where('state', 'not in', ['accepted', 'undone', 'cancelled'])
    if (await open.executeTakeFirst()) throw isOpen()
  }

  async function receive(request: FastifyRequest, me: string, archiveId: string) {
    const connection = new AbortController()
    request.raw.once('close', () => {
      if (!request.raw.complete) connection.abort()
    })
    try {
      let stored: { fileName: string; size: number } | undefined
      for await (const part of request.parts()) {
        if (part.type === 'field') continue
        if (part.fieldname !== 'file' || stored) throw invalidField('file', 'errors.mustBeOnlyFile')
        const max = { bytes: MAX_BYTES, refused: () => fileTooLarge(MAX_BYTES) }
        const { bytes, received } = countIncoming(part.file, max, connection.signal)
        bytes.on('error', () => {})
        await storage.write(importKeyOf(archiveId), bytes, me)
        stored = { fileName: sanitizeFileName(decodeFormFileName(part.filename)), size: received().size }
      }
      if (!stored) throw invalidField('file', 'errors.required')
      return stored
    } catch (error) {
      if (error instanceof AppError || (error as FastifyError).statusCode) throw error
      throw (error as { code?: string }).code ? error : invalid('errors.malformedForm')
    }
  }
}
