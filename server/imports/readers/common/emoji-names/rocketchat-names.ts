import { emojiTable } from './emoji-table.ts'

/** Names in Rocket.Chat that the emoji list lacks, or has for another emoji. */
export const rocketchatNames = emojiTable(`
  👾 alien_monster  😠 angry_face  📶 antenna_bars  🏹 archery  ⚛️ atom  🚗 automobile  👼 baby_angel  🔙 back_arrow
  🤚 back_of_hand  🎒 backpack  🏸 badminton  ⚖️ balance_scale  💈 barber_pole
  ⛹️ basketball_player person_bouncing_ball  ⛱️ beach_umbrella  💓 beating_heart  🍺 beer_mug  🐞 beetle  🍱 bento_box
  🚲 bicycle  ☣️ biohazard  🎂 birthday_cake  🏴 black_flag flag_black  👱 blond_haired_person  🔵 blue_circle
  🟦 blue_square  🍾 bottle_with_popping_cork  🥊 boxing_gloves  🧱 brick  🟤 brown_circle  🟫 brown_square
  🚅 bullet_train  🚏 bus_stop  🤙 call_me  🎏 carp_streamer  🤸 cartwheel  🏰 castle  🐱 cat_face
  🥂 champagne_glass clinking_glass  ✔️ check_mark  🧀 cheese  🚬 cigarette  Ⓜ️ circled_m  🌆 city_dusk
  🌇 city_sunset sunset  🎬 clapper_board  🤡 clown  ♣️ club_suit  👝 clutch_bag  💽 computer_disk  😕 confused_face
  🍚 cooked_rice  🐮 cow_face  🤠 cowboy  🏏 cricket_bat_ball cricket_game  ✝️ cross  😿 crying_cat  😢 crying_face
  🍛 curry_rice  💨 dashing_away  ♦️ diamond_suit  🎯 direct_hit  🐶 dog_face  ⬇️ down_arrow  🤤 drool  🥁 drum
  🌽 ear_of_corn  🕗 eight_oclock  🕣 eight_thirty  ⏏️ eject_symbol  🕚 eleven_oclock  🕦 eleven_thirty  📧 email
  🔚 end_arrow  💶 euro_banknote  🐑 ewe  🤰 expecting_woman  🤬 face_with_symbols_over_mouth
  🤦 facepalm person_facepalming  📠 fax_machine  😨 fearful_face  🤺 fencing person_fencing  🏑 field_hockey
  🤞 fingers_crossed hand_with_index_and_middle_finger_crossed  🥇 first_place  🎣 fishing_pole  🕔 five_oclock
  🕠 five_thirty  🔥 flame  🍮 flan pudding  🥿 flat_shoe  ⚜️ fleur-de-lis  💪 flexed_biceps  😳 flushed_face
  🙏 folded_hands  🕓 four_oclock  🕟 four_thirty  🦊 fox  🥖 french_bread  🍟 french_fries
  ☹️ frowning2 frowning_face  💎 gem_stone  🦒 giraffe  👓 glasses  🌟 glowing_star  🥅 goal  👺 goblin
  👵 grandma old_woman  🟢 green_circle  🟩 green_square  😺 grinning_cat  😀 grinning_face  💗 growing_heart
  💂 guard  ⚒️ hammer_pick  🤕 head_bandage  🎧 headphone  ❣️ heart_exclamation  ♥️ heart_suit  ⛑️ helmet_with_cross
  🏒 hockey ice_hockey  🐴 horse_face  🌭 hot_dog  ♨️ hot_springs  🤗 hugging  😯 hushed_face  ℹ️ information
  🔢 input_numbers  🔣 input_symbols  🃏 joker  🤹 juggler person_juggling  🥋 karate_uniform  🛶 kayak
  🛴 kick_scooter  💋 kiss_mark  😗 kissing_face  🔪 kitchen_knife  🥝 kiwi kiwi_fruit  ⬅️ left_arrow
  🤛 left_facing_fist left_fist  🤥 liar  💡 light_bulb  🦁 lion  🔒 locked  🚂 locomotive  🤟 love_you_gesture
  🕺 male_dancer  🤵 man_in_tuxedo  👲 man_with_chinese_cap  🗾 map_of_japan  🧉 mate  🏅 medal  📣 megaphone
  🕎 menorah  🚹 mens_room  🤘 metal  🥛 milk  🗿 moai  📱 mobile_phone  💰 money_bag  🤑 money_mouth  🛵 motorbike
  🐭 mouse_face  👄 mouth  🎶 musical_notes  🔇 muted_speaker  💅 nail_polish  🤓 nerd  🌚 new_moon_face
  ⏭️ next_track track_next  🕘 nine_oclock  🕤 nine_thirty  🚯 no_littering  👹 ogre  👴 old_man  🧓 older_person
  🔛 on_arrow  👊 oncoming_fist  🕐 one_oclock  🩱 one_piece_swimsuit  🕜 one_thirty  💿 optical_disk
  🟠 orange_circle  🟧 orange_square  🥘 paella  🐼 panda  🎉 party_popper  ⏸️ pause_button  ☮️ peace  😔 pensive_face
  👯 people_with_bunny_ears_partying  🤼 people_wrestling wrestling  🧑 person  🧔 person_beard  🚴 person_biking
  🙇 person_bowing  🙅 person_gesturing_no  🙆 person_gesturing_ok  💇 person_getting_haircut
  💆 person_getting_massage  🛌 person_in_bed  🧎 person_kneeling  🚵 person_mountain_biking
  🤾 person_playing_handball  🤽 person_playing_water_polo  🙎 person_pouting  🙋 person_raising_hand
  🚣 person_rowing_boat  🏃 person_running  🤷 person_shrugging  🧍 person_standing  🏄 person_surfing
  🏊 person_swimming  💁 person_tipping_hand  🚶 person_walking  👳 person_wearing_turban  👰 person_with_veil
  🐷 pig_face  💩 pile_of_poo poo  🏓 ping_pong table_tennis  🔫 pistol  ⏯️ play_pause  👮 police_officer
  🍲 pot_of_food  😡 pouting_face  ⏮️ previous_track track_previous  🚫 prohibited  🟣 purple_circle  🟪 purple_square
  🧩 puzzle_piece  🐰 rabbit_face  ☢️ radioactive
  🖖 raised_hand_with_part_between_middle_and_ring_fingers vulcan vulcan_salute  🙌 raising_hands  ⏺️ record_button
  🍎 red_apple  ❤️ red_heart  🟥 red_square  😌 relieved_face  🦏 rhino  ➡️ right_arrow
  🤜 right_facing_fist right_fist  🤖 robot  🤣 rofl  🙄 rolling_eyes  🎽 running_shirt  👟 running_shoe  🥗 salad
  🎅 santa_claus  📡 satellite  🥈 second_place  🕖 seven_oclock  🕢 seven_thirty  🤝 shaking_hands  🌾 sheaf_of_rice
  🥜 shelled_peanut  🌠 shooting_star  🛒 shopping_cart  🍰 shortcake  🤢 sick  🕕 six_oclock  🕡 six_thirty
  💀 skeleton  🎿 skis  ☠️ skull_crossbones  😴 sleeping_face  😪 sleepy_face  🙁 slight_frown  🙂 slight_smile
  ☺️ smiling_face  😏 smirking_face  🤧 sneeze  ☃️ snowman2  🔜 soon_arrow  ♠️ spade_suit  🐚 spiral_shell
  🧴 squeeze_bottle  🍜 steaming_bowl  ⏹️ stop_button  🛑 stop_sign  🥙 stuffed_pita  ☀️ sun  👕 t_shirt
  📺 television  🕙 ten_oclock  🕥 ten_thirty  🤒 thermometer_face  🤔 thinking  🥉 third_place  🕒 three_oclock
  🕞 three_thirty  👎 thumbdown thumbs_down  👍 thumbs_up thumbup  ⛈️ thunder_cloud_rain  🐯 tiger_face  ⏲️ timer
  🔝 top_arrow  🎩 top_hat  ™️ trade_mark  🚋 tram_car  🕛 twelve_oclock  🕧 twelve_thirty  🕑 two_oclock
  🕝 two_thirty  ☂️ umbrella2  😒 unamused_face  🦄 unicorn  🔓 unlocked  ⬆️ up_arrow  ↕️ up_down_arrow
  ↖️ up_left_arrow  🙃 upside_down  ⚱️ urn  ✌️ victory_hand  📼 videocassette  🚾 water_closet  🌊 water_wave
  👋 waving_hand  🙀 weary_cat  😩 weary_face  🥃 whisky  🥀 wilted_rose  😉 winking_face  💃 woman_dancing
  🧕 woman_with_headscarf  👢 womans_boot  👡 womans_sandal  🚺 womens_room  😟 worried_face  🛐 worship_symbol
  🎁 wrapped_gift  🟡 yellow_circle  🟨 yellow_square  💴 yen_banknote  🦓 zebra  🤐 zipper_mouth  ❌ cross_mark
  ⛳ flag_in_hole  ⛽ fuel_pump  ⚡ high_voltage  ☕ hot_beverage  ❓ question_mark  ✊ raised_fist  ♏ scorpio  ⛄ snowman
  ⚽ soccer_ball  ☔ umbrella  🧔‍♀️ woman_beard  👷‍♀️ woman_construction_worker  🧝‍♀️ woman_elf  🧚‍♀️ woman_fairy
  🧞‍♀️ woman_genie  💆‍♀️ woman_getting_face_massage  💂‍♀️ woman_guard  🧙‍♀️ woman_mage  👮‍♀️ woman_police_officer
  🦸‍♀️ woman_superhero  🦹‍♀️ woman_supervillain  🧛‍♀️ woman_vampire  🧟‍♀️ woman_zombie  🤼‍♀️ women_wrestling
  🧔‍♂️ man_beard  👷‍♂️ man_construction_worker  🧝‍♂️ man_elf  🧚‍♂️ man_fairy  🧞‍♂️ man_genie
  💆‍♂️ man_getting_face_massage  💂‍♂️ man_guard  🧙‍♂️ man_mage  👮‍♂️ man_police_officer  🦸‍♂️ man_superhero
  🦹‍♂️ man_supervillain  🧛‍♂️ man_vampire  🧟‍♂️ man_zombie  🤼‍♂️ men_wrestling  👨‍⚕️ man_health_worker
  👩‍⚕️ woman_health_worker  👨‍⚖️ man_judge  👩‍⚖️ woman_judge  👨‍✈️ man_pilot  👩‍✈️ woman_pilot
  👨‍❤️‍👨 couple_mm couple_with_heart_mm  👩‍❤️‍👨 couple_with_heart_woman_man
  👩‍❤️‍👩 couple_with_heart_ww couple_ww  👨‍❤️‍💋‍👨 couplekiss_mm kiss_man_man kiss_mm  👩‍❤️‍💋‍👨 kiss_woman_man
  👩‍❤️‍💋‍👩 couplekiss_ww kiss_ww  👨‍🌾 man_farmer  👩‍🌾 woman_farmer  👨‍🍳 man_cook  👩‍🍳 woman_cook
  👨‍🎓 man_student  👩‍🎓 woman_student  👨‍🎤 man_singer  👩‍🎤 woman_singer  👨‍🎨 man_artist  👩‍🎨 woman_artist
  👨‍🏫 man_teacher  👩‍🏫 woman_teacher  👨‍🏭 man_factory_worker  👩‍🏭 woman_factory_worker  👨‍👦 family_man_boy
  👩‍👦 family_woman_boy  👨‍👦‍👦 family_man_boy_boy  👩‍👦‍👦 family_woman_boy_boy  👨‍👧 family_man_girl
  👩‍👧 family_woman_girl  👨‍👧‍👦 family_man_girl_boy  👩‍👧‍👦 family_woman_girl_boy  👨‍👧‍👧 family_man_girl_girl
  👩‍👧‍👧 family_woman_girl_girl  👨‍👨‍👦 family_mmb  👨‍👨‍👦‍👦 family_mmbb  👨‍👨‍👧 family_mmg
  👨‍👨‍👧‍👦 family_mmgb  👨‍👨‍👧‍👧 family_mmgg  👨‍👩‍👦 family_man_woman_boy  👩‍👩‍👦 family_wwb
  👨‍👩‍👦‍👦 family_mwbb  👩‍👩‍👦‍👦 family_wwbb  👨‍👩‍👧 family_mwg  👩‍👩‍👧 family_wwg  👨‍👩‍👧‍👦 family_mwgb
  👩‍👩‍👧‍👦 family_wwgb  👨‍👩‍👧‍👧 family_mwgg  👩‍👩‍👧‍👧 family_wwgg  👨‍💻 man_technologist
  👩‍💻 woman_technologist  👨‍💼 man_office_worker  👩‍💼 woman_office_worker  👨‍🔧 man_mechanic
  👩‍🔧 woman_mechanic  👨‍🔬 man_scientist  👩‍🔬 woman_scientist  👨‍🚀 man_astronaut  👩‍🚀 woman_astronaut
  👨‍🚒 man_firefighter  👩‍🚒 woman_firefighter  👨‍🦰 man_red_hair man_red_haired  🧑‍🦰 person_red_hair
  👩‍🦰 woman_red_haired  👨‍🦱 man_curly_haired  🧑‍🦱 person_curly_hair  👩‍🦱 woman_curly_haired  👨‍🦲 man_bald
  🧑‍🦲 person_bald  👩‍🦲 woman_bald  👨‍🦳 man_white_haired  🧑‍🦳 person_white_hair  👩‍🦳 woman_white_haired
  *️⃣ asterisk keycap_asterisk  🇧🇦 ba  🇨🇦 ca  🇪🇦 ea  🇬🇦 ga  🇱🇦 la  🇲🇦 ma  🇳🇦 na  🇵🇦 pa  🇶🇦 qa
  🇸🇦 saudi saudiarabia  🇹🇦 ta  🇺🇦 ua  🇻🇦 va  🇿🇦 za  🇧🇧 bb  🇱🇧 lb  🇸🇧 sb  🇦🇨 ac  🇨🇨 cc  🇪🇨 ec
  🇮🇨 ic  🇱🇨 lc  🇲🇨 mc  🇳🇨 nc  🇸🇨 sc  🇹🇨 tc  🇻🇨 vc  🇦🇩 ad  🇧🇩 bd  🇨🇩 congo  🇬🇩 gd  🇮🇩 indonesia
  🇲🇩 md  🇸🇩 sd  🇹🇩 td  🇦🇪 ae  🇧🇪 be  🇪🇪 ee  🇬🇪 ge  🇮🇪 ie  🇯🇪 je  🇰🇪 ke  🇲🇪 me  🇳🇪 ne  🇵🇪 pe
  🇷🇪 re  🇸🇪 se  🇻🇪 ve  🇾🇪 ye  🇦🇫 af  🇧🇫 bf  🇨🇫 cf  🇬🇫 gf  🇲🇫 mf  🇳🇫 nf  🇵🇫 pf  🇹🇫 tf  🇼🇫 wf
  🇦🇬 ag  🇧🇬 bg  🇨🇬 cg  🇩🇬 dg  🇪🇬 eg  🇬🇬 gg  🇰🇬 kg  🇲🇬 mg  🇳🇬 nigeria  🇵🇬 pg  🇸🇬 sg  🇹🇬 tg
  🇺🇬 ug  🇻🇬 vg  🇧🇭 bh  🇨🇭 ch  🇪🇭 eh  🇬🇭 gh  🇰🇭 kh  🇲🇭 mh  🇵🇭 ph  🇸🇭 sh  🇹🇭 th  🇦🇮 ai  🇧🇮 bi
  🇨🇮 ci  🇫🇮 fi  🇬🇮 gi  🇰🇮 ki  🇱🇮 li  🇳🇮 ni  🇸🇮 si  🇻🇮 vi  🇧🇯 bj  🇩🇯 dj  🇫🇯 fj  🇸🇯 sj  🇹🇯 tj
  🇨🇰 ck  🇩🇰 dk  🇫🇰 fk  🇭🇰 hk  🇱🇰 lk  🇲🇰 mk  🇵🇰 pk  🇸🇰 sk  🇹🇰 tk  🇽🇰 xk  🇦🇱 al  🇧🇱 bl
  🇨🇱 chile  🇬🇱 gl  🇮🇱 il  🇲🇱 ml  🇳🇱 nl  🇵🇱 pl  🇸🇱 sl  🇹🇱 tl  🇦🇲 am  🇧🇲 bm  🇨🇲 cm  🇩🇲 dm
  🇫🇲 fm  🇬🇲 gm  🇭🇲 hm  🇮🇲 im  🇯🇲 jm  🇰🇲 km  🇲🇲 mm  🇴🇲 om  🇵🇲 pm  🇸🇲 sm  🇹🇲 turkmenistan  🇺🇲 um
  🇿🇲 zm  🇧🇳 bn  🇬🇳 gn  🇭🇳 hn  🇮🇳 in  🇰🇳 kn  🇲🇳 mn  🇵🇳 pn  🇸🇳 sn  🇹🇳 tn  🇺🇳 united_nations
  🇻🇳 vn  🇦🇴 ao  🇧🇴 bo  🇨🇴 co  🇩🇴 do  🇫🇴 fo  🇮🇴 io  🇯🇴 jo  🇲🇴 mo  🇳🇴 no  🇷🇴 ro  🇸🇴 so  🇹🇴 to
  🇨🇵 cp  🇬🇵 gp  🇰🇵 kp  🇲🇵 mp  🇳🇵 np  🇦🇶 aq  🇧🇶 bq  🇬🇶 gq  🇮🇶 iq  🇲🇶 mq  🇦🇷 ar  🇧🇷 br  🇨🇷 cr
  🇪🇷 er  🇬🇷 gr  🇭🇷 hr  🇮🇷 ir  🇱🇷 lr  🇲🇷 mr  🇳🇷 nr  🇵🇷 pr  🇸🇷 sr  🇹🇷 tr  🇦🇸 as  🇧🇸 bs  🇬🇸 gs
  🇮🇸 is  🇱🇸 ls  🇲🇸 ms  🇵🇸 ps  🇷🇸 rs  🇸🇸 ss  🇼🇸 ws  🇦🇹 at  🇧🇹 bt  🇪🇹 et  🇬🇹 gt  🇭🇹 ht  🇱🇹 lt
  🇲🇹 mt  🇵🇹 pt  🇸🇹 st  🇹🇹 tt  🇾🇹 yt  🇦🇺 au  🇨🇺 cu  🇪🇺 eu  🇬🇺 gu  🇭🇺 hu  🇱🇺 lu  🇲🇺 mu  🇳🇺 nu
  🇻🇺 vu  🇧🇻 bv  🇨🇻 cv  🇱🇻 lv  🇲🇻 mv  🇸🇻 sv  🇹🇻 tuvalu  🇦🇼 aw  🇧🇼 bw  🇨🇼 cw  🇬🇼 gw  🇰🇼 kw
  🇲🇼 mw  🇵🇼 pw  🇷🇼 rw  🇹🇼 tw  🇿🇼 zw  🇦🇽 ax  🇨🇽 cx  🇲🇽 mx  🇸🇽 sx  🇧🇾 by  🇨🇾 cy  🇬🇾 gy  🇰🇾 ky
  🇱🇾 ly  🇲🇾 my  🇵🇾 py  🇸🇾 sy  🇺🇾 uy  🇦🇿 az  🇧🇿 bz  🇨🇿 cz  🇩🇿 dz  🇰🇿 kz  🇲🇿 mz  🇳🇿 nz  🇸🇿 sz
  🇹🇿 tz  🇺🇿 uz  🏴󠁧󠁢󠁥󠁮󠁧󠁿 england  🏴󠁧󠁢󠁳󠁣󠁴󠁿 scotland  🏴󠁧󠁢󠁷󠁬󠁳󠁿 wales  🛩️ airplane_small
  🗯️ anger_right  🗳️ ballot_box  🏖️ beach  🛎️ bellhop  🗓️ calendar_spiral  🗃️ card_box  🗜️ clamp
  🕰️ clock mantlepiece_clock  🌩️ cloud_lightning cloud_with_lightning  🌧️ cloud_rain cloud_with_rain
  🌨️ cloud_snow cloud_with_snow  🌪️ cloud_tornado cloud_with_tornado  🏗️ construction_site  🛋️ couch  🖍️ crayon
  🛳️ cruise_ship  🗡️ dagger  🖥️ desktop  🕵️ detective spy  🗂️ dividers  🕊️ dove  🏳️ flag_white white_flag
  🍽️ fork_and_knife_with_plate fork_knife_plate  🖋️ fountain_pen pen_fountain  🖼️ frame_photo  🖐️ hand_splayed
  🏘️ homes houses  🏚️ house_abandoned  🏝️ island  🗝️ key2  🕴️ levitate  🏋️ lifter person_lifting_weights
  🗺️ map  🎙️ microphone2  🎖️ military_medal  🛥️ motorboat  🏍️ motorcycle  🏔️ mountain_snow
  🖱️ mouse_three_button  🗞️ newspaper2  🗒️ notepad_spiral  🛢️ oil  🖌️ paintbrush  🖇️ paperclips  🏞️ park
  🖊️ pen pen_ballpoint  🏌️ person_golfing  📽️ projector  🏎️ race_car  🛤️ railroad_track  🛰️ satellite_orbital
  🗣️ speaking_head  🗨️ speech_left  🎟️ tickets  🛠️ tools  🌥️ white_sun_behind_cloud white_sun_cloud
  🌦️ white_sun_behind_cloud_with_rain white_sun_rain_cloud  🌤️ white_sun_small_cloud white_sun_with_small_cloud
  🌬️ wind_face  🕵️‍♀️ woman_detective  🕵️‍♂️ man_detective  🏳️‍🌈 gay_pride_flag
`)
