/** A line of the report. */
export interface Row {
  name: string
  figures: string
  aim: string
}
