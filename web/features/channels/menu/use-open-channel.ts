import { useMatch } from 'react-router'
import { paths } from '../../../paths.ts'

/** The id of the conversation that the address names. */
export const useOpenChannel = () => useMatch(paths.channel(':channelId'))?.params.channelId?.toLowerCase()
