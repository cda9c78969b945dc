/**
 * The commands of the package, as `parley <name>`. Each runs a program, named without its ending; a clone runs the same one as
 * `npm run <name>`.
 * @type {Record<string, { program: string, about: string, argument?: string, flags?: Record<string, string> }>}
 */
export const COMMANDS = {
  backup: {
    program: 'scripts/backup/backup',
    about: 'back up the workspace, also while Parley runs',
    flags: {
      '--to=PLACE': 'a folder or s3://bucket/prefix, instead of BACKUP_TO',
      '--with-secrets': 'include the secrets, encrypted by a passphrase',
    },
  },
  'verify-backup': {
    program: 'scripts/backup/verify-backup',
    argument: '[TIME]',
    about: 'read a backup completely and report damage',
    flags: { '--from=PLACE': 'a folder or s3://bucket/prefix, instead of BACKUP_TO' },
  },
  'restore-drill': {
    program: 'scripts/backup/restore-drill',
    argument: '[TIME]',
    about: 'restore a backup into a temporary folder, try it, delete it',
    flags: {
      '--from=PLACE': 'a folder or s3://bucket/prefix, instead of BACKUP_TO',
      '--in=FOLDER': 'where the temporary folder is made',
    },
  },
  restore: {
    program: 'scripts/backup/restore',
    argument: '[TIME]',
    about: 'restore the newest backup, or that of a time',
    flags: {
      '--from=PLACE': 'a folder or s3://bucket/prefix, instead of BACKUP_TO',
      '--replace': 'delete the workspace that is there',
      '--yes': 'do not ask before that',
    },
  },
  upgrade: {
    program: 'scripts/upgrade/upgrade',
    argument: 'FILE',
    about: 'change to the version of a package, and back if it fails',
    flags: {
      '--back': 'change to the version before',
      '--ready-within=MINUTES': 'how long a start may take, with its migrations; 10 unless set',
    },
  },
  rollback: {
    program: 'scripts/backup/rollback',
    argument: '[TIME]',
    about: 'undo the last upgrade of the database',
    flags: { '--yes': 'do not ask before deleting what was written since' },
  },
  doctor: { program: 'scripts/doctor', about: 'examine the installation, and say what to mend' },
  health: { program: 'scripts/health', about: 'say whether Parley runs and is ready' },
  migrate: { program: 'scripts/migrate', about: 'migrate the database, if MIGRATE is off or after a rollback' },
  import: {
    program: 'scripts/import',
    argument: 'FILE',
    about: 'import from Slack, Mattermost, Zulip and others',
    flags: {
      '--dry-run': 'only say what would be imported',
      '--fetch-files': 'also the files that a Slack export links to',
      '--topics-as-channels': 'channels instead of threads for the topics of Zulip',
    },
  },
  export: {
    program: 'scripts/export',
    about: 'export the workspace into a ZIP file',
    flags: { '--all': 'also private channels and direct messages; required', '--out=FILE': 'the name of the file' },
  },
  'reset-password': {
    program: 'scripts/reset-password',
    argument: 'NAME',
    about: 'print a link that sets a new password for someone',
    flags: { '--second-factor': 'the link also switches off their two-step sign-in' },
  },
  'mail-test': { program: 'scripts/mail-test', argument: 'ADDRESS', about: 'send a test mail' },
}

/**
 * Says what a command does, and lists its options.
 * @param {string} name
 * @param {(args: string) => string} lineOf how it is run
 */
export function describeCommand(name, lineOf) {
  const { about, argument = '', flags = {} } = COMMANDS[name] ?? {}
  const options = Object.entries(flags)
  const line = lineOf(`${argument}${options.length > 0 ? ' [OPTIONS]' : ''}`.trim())
  return `${line}\n\n  ${about}\n\n${columns(options)}`.trimEnd()
}

/** @param {string[][]} rows of two cells */
export function columns(rows) {
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
