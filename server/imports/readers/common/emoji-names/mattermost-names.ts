import { emojiTable } from './emoji-table.ts'

/** Names in Mattermost that the emoji list lacks, or has for another emoji. */
export const mattermostNames = emojiTable(`
  🥇 1st_place_medal  🥈 2nd_place_medal  🥉 3rd_place_medal  🏸 badminton  ⚖️ balance_scale  ☣️ biohazard
  🏴 black_flag  👱 blond_haired_person  🟦 blue_square  ⛹️ bouncing_ball_person  🟤 brown_circle  🟫 brown_square
  📸 camera_flash  🤸 cartwheeling  🧀 cheese  🧗 climbing  ⛈️ cloud_with_lightning_and_rain  🤠 cowboy_hat_face
  🏏 cricket_game  🤬 cursing_face  🥁 drum  ⏏️ eject_button  📧 email  🤦 facepalm  🏑 field_hockey  🤛 fist_left
  👊 fist_oncoming  🤜 fist_right  🥿 flat_shoe  🛬 flight_arrival  🛫 flight_departure  ☹️ frowning_face
  🙍 frowning_person  🖕 fu  🦒 giraffe  🟢 green_circle  🟩 green_square  💂 guard  🤭 hand_over_mouth
  🤾 handball_person  ❣️ heavy_heart_exclamation  🤗 hugs  🏒 ice_hockey  🤹 juggling_person  🛴 kick_scooter
  🥝 kiwi_fruit  🦁 lion  🧘 lotus_position  🤟 love_you_gesture  🍊 mandarin orange  🧉 mate  🏅 medal_sports
  🕎 menorah  🤘 metal  🥛 milk_glass  🧐 monocle_face  ⏭️ next_track_button  🙆 ok_person  🩱 one_piece_swimsuit
  ☂️ open_umbrella  🟠 orange_circle  🟧 orange_square  ⛱️ parasol_on_ground  ⏸️ pause_button  🤺 person_fencing
  👳 person_with_turban  👰 person_with_veil  🏓 ping_pong  ⏯️ play_or_pause_button  👮 police_officer  😡 pout
  🙎 pouting_face  ⏮️ previous_track_button  🟣 purple_circle  🟪 purple_square  ☢️ radioactive  🤨 raised_eyebrow
  ⏺️ record_button  🟥 red_square  ⛑️ rescue_worker_helmet  🤖 robot  🤣 rofl  🙄 roll_eyes  📡 satellite
  🧖 sauna_person  🛒 shopping_cart  🛌 sleeping_bed  🥰 smiling_face_with_three_hearts  ☃️ snowman_with_snow
  ⏹️ stop_button  🛑 stop_sign  🩲 swim_brief  🤔 thinking  💁 tipping_hand_person  🦄 unicorn  🤮 vomiting_face
  🖖 vulcan_salute  💃 woman_dancing  🧕 woman_with_headscarf  🤼 wrestling  🟡 yellow_circle  🟨 yellow_square
  🦓 zebra  ✊ fist_raised  ⛄ snowman  ☔ umbrella  ⛹️‍♀️ basketball_woman bouncing_ball_woman  🚴‍♀️ biking_woman
  👱‍♀️ blonde_woman  🙇‍♀️ bowing_woman  👰‍♀️ bride_with_veil  🧗‍♀️ climbing_woman  👷‍♀️ construction_worker_woman
  👯‍♀️ dancing_women  🧝‍♀️ elf_woman  🧚‍♀️ fairy_woman  🙍‍♀️ frowning_woman  🧞‍♀️ genie_woman  💂‍♀️ guardswoman
  💇‍♀️ haircut_woman  🧎‍♀️ kneeling_woman  🧘‍♀️ lotus_position_woman  🧙‍♀️ mage_woman  💆‍♀️ massage_woman
  🚵‍♀️ mountain_biking_woman  🙅‍♀️ ng_woman no_good_woman  🙆‍♀️ ok_woman  👮‍♀️ policewoman  🙎‍♀️ pouting_woman
  🙋‍♀️ raising_hand_woman  🚣‍♀️ rowing_woman  🏃‍♀️ running_woman  💁‍♀️ sassy_woman tipping_hand_woman
  🧖‍♀️ sauna_woman  🧍‍♀️ standing_woman  🦸‍♀️ superhero_woman  🦹‍♀️ supervillain_woman  🏄‍♀️ surfing_woman
  🏊‍♀️ swimming_woman  🧛‍♀️ vampire_woman  🚶‍♀️ walking_woman  🧔‍♀️ woman_beard  👳‍♀️ woman_with_turban
  🤼‍♀️ women_wrestling  🧟‍♀️ zombie_woman  ⛹️‍♂️ basketball_man bouncing_ball_man  🚴‍♂️ biking_man
  🙇‍♂️ bowing_man  🧗‍♂️ climbing_man  👷‍♂️ construction_worker_man  👯‍♂️ dancing_men  🧝‍♂️ elf_man
  🧚‍♂️ fairy_man  🙍‍♂️ frowning_man  🧞‍♂️ genie_man  💂‍♂️ guardsman  💇‍♂️ haircut_man  🧎‍♂️ kneeling_man
  🧘‍♂️ lotus_position_man  🧙‍♂️ mage_man  🧔‍♂️ man_beard  👳‍♂️ man_with_turban  💆‍♂️ massage_man
  🤼‍♂️ men_wrestling  🚵‍♂️ mountain_biking_man  🙅‍♂️ ng_man no_good_man  🙆‍♂️ ok_man  👮‍♂️ policeman
  🙎‍♂️ pouting_man  🙋‍♂️ raising_hand_man  🚣‍♂️ rowing_man  🏃‍♂️ running_man  💁‍♂️ sassy_man tipping_hand_man
  🧖‍♂️ sauna_man  🧍‍♂️ standing_man  🦸‍♂️ superhero_man  🦹‍♂️ supervillain_man  🏄‍♂️ surfing_man
  🏊‍♂️ swimming_man  🧛‍♂️ vampire_man  🚶‍♂️ walking_man  🧟‍♂️ zombie_man  👨‍⚕️ man_health_worker
  👩‍⚕️ woman_health_worker  👨‍⚖️ man_judge  👩‍⚖️ woman_judge  👨‍✈️ man_pilot  👩‍✈️ woman_pilot
  👨‍❤️‍👨 couple_with_heart_man_man  👩‍❤️‍👨 couple_with_heart_woman_man  👩‍❤️‍👩 couple_with_heart_woman_woman
  👨‍❤️‍💋‍👨 couplekiss_man_man  👩‍❤️‍💋‍👨 couplekiss_man_woman  👩‍❤️‍💋‍👩 couplekiss_woman_woman
  👨‍🌾 man_farmer  👩‍🌾 woman_farmer  👨‍🍳 man_cook  👩‍🍳 woman_cook  👨‍🎓 man_student  👩‍🎓 woman_student
  👨‍🎤 man_singer  👩‍🎤 woman_singer  👨‍🎨 man_artist  👩‍🎨 woman_artist  👨‍🏫 man_teacher  👩‍🏫 woman_teacher
  👨‍🏭 man_factory_worker  👩‍🏭 woman_factory_worker  👨‍👦 family_man_boy  👩‍👦 family_woman_boy
  👨‍👦‍👦 family_man_boy_boy  👩‍👦‍👦 family_woman_boy_boy  👨‍👧 family_man_girl  👩‍👧 family_woman_girl
  👨‍👧‍👦 family_man_girl_boy  👩‍👧‍👦 family_woman_girl_boy  👨‍👧‍👧 family_man_girl_girl
  👩‍👧‍👧 family_woman_girl_girl  👨‍👨‍👦 family_man_man_boy  👨‍👨‍👦‍👦 family_man_man_boy_boy
  👨‍👨‍👧 family_man_man_girl  👨‍👨‍👧‍👦 family_man_man_girl_boy  👨‍👨‍👧‍👧 family_man_man_girl_girl
  👨‍👩‍👦 family_man_woman_boy  👩‍👩‍👦 family_woman_woman_boy  👨‍👩‍👦‍👦 family_man_woman_boy_boy
  👩‍👩‍👦‍👦 family_woman_woman_boy_boy  👨‍👩‍👧 family_man_woman_girl  👩‍👩‍👧 family_woman_woman_girl
  👨‍👩‍👧‍👦 family_man_woman_girl_boy  👩‍👩‍👧‍👦 family_woman_woman_girl_boy
  👨‍👩‍👧‍👧 family_man_woman_girl_girl  👩‍👩‍👧‍👧 family_woman_woman_girl_girl  👨‍💻 man_technologist
  👩‍💻 woman_technologist  👨‍💼 man_office_worker  👩‍💼 woman_office_worker  👨‍🔧 man_mechanic
  👩‍🔧 woman_mechanic  👨‍🔬 man_scientist  👩‍🔬 woman_scientist  👨‍🚀 man_astronaut  👩‍🚀 woman_astronaut
  👨‍🚒 man_firefighter  👩‍🚒 woman_firefighter  🧑‍🦰 person_red_hair  🧑‍🦱 person_curly_hair  🧑‍🦲 person_bald
  🧑‍🦳 person_white_hair  *️⃣ asterisk  🇧🇦 bosnia_herzegovina  🇨🇦 canada  🇪🇦 ceuta_melilla  🇬🇦 gabon
  🇱🇦 laos  🇲🇦 morocco  🇳🇦 namibia  🇵🇦 panama  🇶🇦 qatar  🇸🇦 saudi_arabia  🇿🇦 south_africa
  🇹🇦 tristan_da_cunha  🇺🇦 ukraine  🇻🇦 vatican_city  🇧🇧 barbados  🇱🇧 lebanon  🇸🇧 solomon_islands
  🇦🇨 ascension_island  🇮🇨 canary_islands  🇨🇨 cocos_islands  🇪🇨 ecuador  🇲🇨 monaco  🇳🇨 new_caledonia
  🇸🇨 seychelles  🇱🇨 st_lucia  🇻🇨 st_vincent_grenadines  🇹🇨 turks_caicos_islands  🇦🇩 andorra  🇧🇩 bangladesh
  🇹🇩 chad  🇨🇩 congo_kinshasa  🇬🇩 grenada  🇮🇩 indonesia  🇲🇩 moldova  🇸🇩 sudan  🇧🇪 belgium  🇪🇪 estonia
  🇬🇪 georgia  🇮🇪 ireland  🇯🇪 jersey  🇰🇪 kenya  🇲🇪 montenegro  🇳🇪 niger  🇵🇪 peru  🇷🇪 reunion
  🇸🇪 sweden  🇦🇪 united_arab_emirates  🇻🇪 venezuela  🇾🇪 yemen  🇦🇫 afghanistan  🇧🇫 burkina_faso
  🇨🇫 central_african_republic  🇬🇫 french_guiana  🇵🇫 french_polynesia  🇹🇫 french_southern_territories
  🇳🇫 norfolk_island  🇲🇫 st_martin  🇼🇫 wallis_futuna  🇦🇬 antigua_barbuda  🇻🇬 british_virgin_islands
  🇧🇬 bulgaria  🇨🇬 congo_brazzaville  🇩🇬 diego_garcia  🇪🇬 egypt  🇬🇬 guernsey  🇰🇬 kyrgyzstan
  🇲🇬 madagascar  🇳🇬 nigeria  🇵🇬 papua_new_guinea  🇸🇬 singapore  🇹🇬 togo  🇺🇬 uganda  🇧🇭 bahrain
  🇰🇭 cambodia  🇬🇭 ghana  🇲🇭 marshall_islands  🇵🇭 philippines  🇸🇭 st_helena  🇨🇭 switzerland  🇹🇭 thailand
  🇪🇭 western_sahara  🇦🇮 anguilla  🇧🇮 burundi  🇨🇮 cote_divoire  🇫🇮 finland  🇬🇮 gibraltar  🇰🇮 kiribati
  🇱🇮 liechtenstein  🇳🇮 nicaragua  🇸🇮 slovenia  🇻🇮 us_virgin_islands  🇧🇯 benin  🇩🇯 djibouti  🇫🇯 fiji
  🇸🇯 svalbard_jan_mayen  🇹🇯 tajikistan  🇨🇰 cook_islands  🇩🇰 denmark  🇫🇰 falkland_islands  🇭🇰 hong_kong
  🇽🇰 kosovo  🇲🇰 macedonia  🇵🇰 pakistan  🇸🇰 slovakia  🇱🇰 sri_lanka  🇹🇰 tokelau  🇦🇱 albania  🇨🇱 chile
  🇬🇱 greenland  🇮🇱 israel  🇲🇱 mali  🇳🇱 netherlands  🇵🇱 poland  🇸🇱 sierra_leone  🇧🇱 st_barthelemy
  🇹🇱 timor_leste  🇦🇲 armenia  🇧🇲 bermuda  🇨🇲 cameroon  🇰🇲 comoros  🇩🇲 dominica  🇬🇲 gambia
  🇭🇲 heard_mcdonald_islands  🇮🇲 isle_of_man  🇯🇲 jamaica  🇫🇲 micronesia  🇲🇲 myanmar  🇴🇲 oman
  🇸🇲 san_marino  🇵🇲 st_pierre_miquelon  🇹🇲 turkmenistan  🇺🇲 us_outlying_islands  🇿🇲 zambia  🇧🇳 brunei
  🇬🇳 guinea  🇭🇳 honduras  🇮🇳 india  🇲🇳 mongolia  🇵🇳 pitcairn_islands  🇸🇳 senegal  🇰🇳 st_kitts_nevis
  🇹🇳 tunisia  🇺🇳 united_nations  🇻🇳 vietnam  🇦🇴 angola  🇧🇴 bolivia  🇮🇴 british_indian_ocean_territory
  🇨🇴 colombia  🇩🇴 dominican_republic  🇫🇴 faroe_islands  🇯🇴 jordan  🇲🇴 macau  🇳🇴 norway  🇷🇴 romania
  🇸🇴 somalia  🇹🇴 tonga  🇨🇵 clipperton_island  🇬🇵 guadeloupe  🇳🇵 nepal  🇰🇵 north_korea
  🇲🇵 northern_mariana_islands  🇦🇶 antarctica  🇧🇶 caribbean_netherlands  🇬🇶 equatorial_guinea  🇮🇶 iraq
  🇲🇶 martinique  🇦🇷 argentina  🇧🇷 brazil  🇨🇷 costa_rica  🇭🇷 croatia  🇪🇷 eritrea  🇬🇷 greece  🇮🇷 iran
  🇱🇷 liberia  🇲🇷 mauritania  🇳🇷 nauru  🇵🇷 puerto_rico  🇸🇷 suriname  🇹🇷 tr  🇦🇸 american_samoa
  🇧🇸 bahamas  🇮🇸 iceland  🇱🇸 lesotho  🇲🇸 montserrat  🇵🇸 palestinian_territories  🇼🇸 samoa  🇷🇸 serbia
  🇬🇸 south_georgia_south_sandwich_islands  🇸🇸 south_sudan  🇦🇹 austria  🇧🇹 bhutan  🇪🇹 ethiopia
  🇬🇹 guatemala  🇭🇹 haiti  🇱🇹 lithuania  🇲🇹 malta  🇾🇹 mayotte  🇵🇹 portugal  🇸🇹 sao_tome_principe
  🇹🇹 trinidad_tobago  🇦🇺 australia  🇨🇺 cuba  🇪🇺 eu european_union  🇬🇺 guam  🇭🇺 hungary  🇱🇺 luxembourg
  🇲🇺 mauritius  🇳🇺 niue  🇻🇺 vanuatu  🇧🇻 bouvet_island  🇨🇻 cape_verde  🇸🇻 el_salvador  🇱🇻 latvia
  🇲🇻 maldives  🇹🇻 tuvalu  🇦🇼 aruba  🇧🇼 botswana  🇨🇼 curacao  🇬🇼 guinea_bissau  🇰🇼 kuwait  🇲🇼 malawi
  🇵🇼 palau  🇷🇼 rwanda  🇹🇼 taiwan  🇿🇼 zimbabwe  🇦🇽 aland_islands  🇨🇽 christmas_island  🇲🇽 mexico
  🇸🇽 sint_maarten  🇧🇾 belarus  🇰🇾 cayman_islands  🇨🇾 cyprus  🇬🇾 guyana  🇱🇾 libya  🇲🇾 malaysia
  🇵🇾 paraguay  🇸🇾 syria  🇺🇾 uruguay  🇩🇿 algeria  🇦🇿 azerbaijan  🇧🇿 belize  🇨🇿 czech_republic
  🇰🇿 kazakhstan  🇲🇿 mozambique  🇳🇿 new_zealand  🇸🇿 swaziland  🇹🇿 tanzania  🇺🇿 uzbekistan
  🏴󠁧󠁢󠁥󠁮󠁧󠁿 england  🏴󠁧󠁢󠁳󠁣󠁴󠁿 scotland  🏴󠁧󠁢󠁷󠁬󠁳󠁿 wales  🛰️ artificial_satellite  🗳️ ballot_box
  🏖️ beach_umbrella  🕴️ business_suit_levitating  🗜️ clamp  🌩️ cloud_with_lightning  🌧️ cloud_with_rain
  🌨️ cloud_with_snow  🖱️ computer_mouse  🖍️ crayon  🗡️ dagger  🏚️ derelict_house  🕵️ detective  🕊️ dove
  🎞️ film_strip  🖋️ fountain_pen  🖼️ framed_picture  🏌️ golfing  🏘️ houses  🎖️ medal_military  🏍️ motorcycle
  🏔️ mountain_snow  🗞️ newspaper_roll  🕉️ om  🖌️ paintbrush  🖇️ paperclips  🖊️ pen  🍽️ plate_with_cutlery
  🛍️ shopping  🗣️ speaking_head  🗓️ spiral_calendar  🗒️ spiral_notepad  🌥️ sun_behind_large_cloud
  🌤️ sun_behind_small_cloud  🎟️ tickets  🏋️ weight_lifting  🏳️ white_flag  🌬️ wind_face  🏌️‍♀️ golfing_woman
  🏋️‍♀️ weight_lifting_woman  🏌️‍♂️ golfing_man  🏋️‍♂️ weight_lifting_man  👁️‍🗨️ eye_speech_bubble
`)
