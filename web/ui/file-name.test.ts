import { expect, test } from 'vitest'
import { splitName } from './file-name.tsx'

test('a long name keeps its last characters and its extension', () => {
  expect(splitName('notes.txt')).toEqual(['notes.txt', ''])
  expect(splitName('quarterly-report-final.pdf')).toEqual(['quarterly-report-f', 'inal.pdf'])
  expect(splitName('a-name-without-extension')).toEqual(['a-name-without-exten', 'sion'])
  // What follows this dot is no extension.
  expect(splitName('v1. everything we agreed on')).toEqual(['v1. everything we agree', 'd on'])
  // Letters that join stay together, and so does a character of several code points.
  expect(splitName('تقرير المبيعات السنوية.pdf')).toEqual(['تقرير المبيعات السنوية.pdf', ''])
  expect(splitName('report for שלום עולם.pdf')[1]).toBe('')
  expect(splitName('holiday in the hills 👨‍👩‍👧‍👦👨‍👩‍👧‍👦.png')[1]).toBe('s 👨‍👩‍👧‍👦👨‍👩‍👧‍👦.png')
  expect(splitName('party-of-the-team-🎉🎉🎉🎉.png')).toEqual(['party-of-the-team-', '🎉🎉🎉🎉.png'])
  expect(splitName('.a-hidden-settings')).toEqual(['.a-hidden-sett', 'ings'])
})
