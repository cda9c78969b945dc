import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const KEYS = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

test.each([
  ['1GB', 1024 ** 3],
  ['500MB', 500 * 1024 ** 2],
  ['2 tb', 2 * 1024 ** 4],
  ['1000', 1000],
])('a size of %s is %i bytes', (MAX_FILE_SIZE, bytes) => {
  expect(readConfig({ MAX_FILE_SIZE })).toMatchObject({ maxFileSize: bytes, fileQuota: undefined, s3: undefined })
})

test.each(['', '0', '-1', 'many', '1.5GB', '1GB!'])('a size of %j is told in one sentence', (FILE_QUOTA) => {
  // Empty means not set.
  if (FILE_QUOTA === '') return expect(readConfig({ FILE_QUOTA }).fileQuota).toBeUndefined()
  expect(() => readConfig({ FILE_QUOTA })).toThrow(/^FILE_QUOTA takes a size such as 500MB or 1GB; it is /)
})

test('a bucket is whole or not there', () => {
  expect(readConfig({ S3_BUCKET: 'b', ...KEYS }).s3).toEqual({
    bucket: 'b',
    region: 'us-east-1',
    endpoint: undefined,
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  })
  expect(() => readConfig(KEYS)).toThrow('S3_BUCKET must be set where S3_ACCESS_KEY_ID is.')
  expect(() => readConfig({ S3_BUCKET: 'b' })).toThrow('S3_ACCESS_KEY_ID must be set where S3_BUCKET is.')
  const half = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' }
  expect(() => readConfig(half)).toThrow('S3_SECRET_ACCESS_KEY must be set where S3_BUCKET is.')
  expect(() => readConfig({ S3_ENDPOINT: 'store', S3_BUCKET: 'b', ...KEYS })).toThrow(/^S3_ENDPOINT takes an address/)
})
