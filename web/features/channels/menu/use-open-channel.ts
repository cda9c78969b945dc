import { useMatch } from 'react-router'
import { paths } from '../../../paths.ts'

/** The id of the open conversation, from the URL. */
export const useOpenChannel = () => useMatch(paths.channel(':channelId'))?.params.channelId?.toLowerCase()
