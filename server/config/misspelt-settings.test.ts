import { expect, test } from 'vitest'
import { SETTING_NAMES } from './config.ts'
import { findMisspelt } from './misspelt-settings.ts'

test.each([
  ['SIGN_UP', 'SIGNUP'],
  ['SINGUP', 'SIGNUP'],
  ['signup', 'SIGNUP'],
  ['port', 'PORT'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATA-DIR', 'DATA_DIR'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['BACKUP_S3_ACCESS_KEY', 'BACKUP_S3_ACCESS_KEY_ID'],
])('%s is probably meant to be %s', (name, meant) => {
  const sentence = `${name} is not a setting of Parley and is ignored. Did you mean ${meant}?`
  expect(findMisspelt({ [name]: 'a secret' })).toEqual([sentence])
})

test('settings and variables of other programs cause no warning', () => {
  const names = `PATH HOME HOSTNAME USER LOGNAME SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL TZ EDITOR MAIL DISPLAY TMPDIR
    NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE PARLEY_PARENT_PID PARLEY_PORT_3000_TCP npm_config_cache
    PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA POSTGRES_PASSWORD AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID KUBERNETES_SERVICE_HOST KUBERNETES_PORT DOMAIN PASSWORD SSH_TTY SUDO_USER
    HTTP_PROXY HTTPS_PROXY NO_PROXY SMTP_HOST SMTP_PORT REDIS_HOST DB_PORT DB_HOST POST XHOST APPDATA ProgramData`
  const environment = Object.fromEntries([...names.split(/\s+/), ...SETTING_NAMES].map((name) => [name, 'x']))
  expect(findMisspelt(environment)).toEqual([])
  const foreign = Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x']))
  expect(findMisspelt(foreign)).toEqual([])
})

test('a misspelling beside the setting itself causes no warning', () => {
  expect(findMisspelt({ SIGN_UP: 'x', SIGNUP: 'invite' })).toEqual([])
})
