// Installs and builds a version, for the command `upgrade` of another one.
import { prepareStart } from '../install.mjs'

await prepareStart()
