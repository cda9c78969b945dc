import { startCluster } from '../../server/test/support/database.ts'

/** The variable by which workers find the cluster: they inherit the environment. */
const CLUSTER_URL = 'PARLEY_TEST_CLUSTER'

export const clusterUrl = () => process.env[CLUSTER_URL]

/** Runs once for all journeys: their servers have databases in one PostgreSQL, because a new one costs each of them seconds. */
export default async function setup() {
  const { url, stop } = await startCluster()
  process.env[CLUSTER_URL] = url
  return stop
}
