import { expect, it } from 'vitest'
import { emojiNamed, withEmoji } from './emoji.ts'
import { mattermostNames } from './emoji-names/mattermost-names.ts'
import { rocketchatNames } from './emoji-names/rocketchat-names.ts'
import { zulipNames } from './emoji-names/zulip-names.ts'

const all = (names: string, own?: Parameters<typeof emojiNamed>[1]) =>
  names.split(' ').map((name) => emojiNamed(name, own) ?? name)

it('only names of regions are names of flags', () => {
  expect(all('flag-de flag_de flag-ac flag-england flag_england')).toEqual(['🇩🇪', '🇩🇪', '🇦🇨', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
  for (const name of ['flag_ghost', 'flag-cat', 'flag_xx', 'flag-', 'flag-deu'])
    expect(emojiNamed(name)).toBeUndefined()
})

it('each product writes skin tones in its own way', () => {
  expect(all('wave::skin-tone-2 wave::skin-tone-6 thumbsup::skin-tone-4::skin-tone-5')).toEqual([
    '👋🏻',
    '👋🏿',
    '👍🏽',
  ])
  expect(all('wave_tone1 thumbsup_tone3 heart_tone2 wave_tone6')).toEqual(['👋🏻', '👍🏽', '❤️', 'wave_tone6'])
  expect(all('+1_dark_skin_tone wave_light_skin_tone thumbsup_medium_skin_tone')).toEqual(['👍🏿', '👋🏻', '👍🏽'])
  expect(all('ok_hand_medium_light_skin_tone ok_hand_medium_dark_skin_tone')).toEqual(['👌🏼', '👌🏾'])
  expect(all('call_me_tone5', rocketchatNames)).toEqual(['🤙🏿'])
  expect(withEmoji(':wave_tone1: :thumbsup_tone9:')).toBe('👋🏻 :thumbsup_tone9:')
})

it('each product has its own names', () => {
  const rocketchat =
    'slight_smile thinking rofl upside_down hugging rolling_eyes frowning2 slight_frown nerd money_mouth'
  expect(all(rocketchat, rocketchatNames).join('')).toBe('🙂🤔🤣🙃🤗🙄☹️🙁🤓🤑')
  expect(all('zipper_mouth metal vulcan fingers_crossed call_me tada', rocketchatNames).join('')).toBe('🤐🤘🖖🤞🤙🎉')
  const zulip =
    'thumbs_up check check_mark working_on_it big_smile thinking tada cross_mark fist_bump smile flag_germany melting_face'
  expect(all(zulip, zulipNames).join('')).toBe('👍✅✔️🛠️😄🤔🎉❌👊🙂🇩🇪🫠')
  expect(all('thinking hugs roll_eyes rofl robot fu white_check_mark', mattermostNames).join('')).toBe('🤔🤗🙄🤣🤖🖕✅')
  expect(all('smile slight_smile')).toEqual(['😄', 'slight_smile'])
  for (const names of [rocketchatNames, zulipNames, mattermostNames])
    for (const name of names.keys()) expect(emojiNamed(name, names), name).toBe(names.get(name))
})
