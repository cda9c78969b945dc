import { emojiTable } from './emoji-table.ts'

/** Names in Zulip that the emoji list lacks, or has for another emoji. */
export const zulipNames = emojiTable(`
  🎱 8_ball billiards pool  🛌 accommodations guestrooms in_bed  🤸 acrobatics cartwheel gymnastics tumbling
  🎬 action  😖 agony  🛬 airplane_arrival arrival landing  🐓 alarm cock-a-doodle-doo  ⚗️ alchemy  🚨 alert siren
  🔡 alphabet  🏈 american_football  📱 android mobile_phone smartphone  😾 angry_cat  👿 angry_devil devil
  😫 anguish  😬 anxious nervous  👏 applause  🐪 arabian_camel  🏹 archery  🤗 arms_open hug
  ☝️ asking_a_question point_of_information wait_one_second  ⚒️ at_work  ⚛️ atom physics  📎 attachment  🐑 baa
  🚼 baby_change_station nursery  🎒 backpack satchel  🏸 badminton  🥖 baguette  ⚖️ balance justice  ⛹️ ball sports
  💢 bam pow  ⛱️ beach_umbrella  🐞 beetle  🔪 betrayed  🚲 bicycle  ☹️ big_frown sad
  🚛 big_rig semi_truck tractor-trailer transport_truck truck  😄 big_smile  ☣️ biohazard  🔳 black_and_white_square
  🥋 black_belt dogi keikogi martial_arts  🏴 black_flag  😶 blank poker_face speechless  😘 blow_a_kiss heart_kiss
  🔵 blue_circle  🟦 blue_square  😳 blushing embarrassed  👻 boo haunted spooky  💜 bravery  🥞 breakfast  🧱 brick
  👰 bride  🌉 bridge  🔆 brightness  🥉 bronze third_place  🟤 brown_circle  🟫 brown_square  ☸️ buddhism  🐂 bull
  🚅 bullet_train  📢 bullhorn  🎯 bulls_eye darts direct_hit  🐰 bunny  ⚰️ burial grave  🚏 bus_stop  🐝 buzz
  📅 calendar  🐮 calf  🤙 call_me  🔠 capital_letters  🎠 carousel merry_go_round  🎏 carp_streamer
  📐 carpenter_square  🏰 castle  🐈 cat meow  🐛 caterpillar  ⚠️ caution danger  🎈 celebration
  📶 cell_reception signal_bars  📈 chart growing increasing upwards_trend  ✔️ check_mark  ☑️ checkbox  🧀 cheese
  🐤 chick  🍫 chocolate  ✝️ christianity cross  🎪 circus  🥂 clink toast  🕗 clock time  🔃 clockwise
  📪 closed_mailbox  👚 clothing  ☘️ clover  🤡 clown  🐔 cluck  🔐 commitment lock_with_key loyalty safe secure
  📓 composition_book  😕 concerned half_frown oh_no  🐚 conch seashell spiral_shell  🎊 confetti party_ball
  🚧 construction_zone work_in_progress  🔄 counterclockwise return  🐄 cow  🤠 cowboy  💥 crash explosion
  😜 crazy joking stuck_out_tongue_wink  ⚱️ cremation  🚣 crew rowing sculling  🏏 cricket cricket_bat  🥀 crushed
  😿 crying_cat  💎 crystal  💠 cute diamond_with_a_dot kawaii  🚴 cyclist  🕺 dancing disco  📆 date
  ☠️ death hazard pirate poison toxic  💳 debit_card  🎀 decoration  📔 decorative_notebook
  🔽 decrease down_button downvote  📉 decreasing downwards_trend shrinking  👖 denim  🛫 departure take_off
  🎲 dice die  🔏 digital_security key_signing privacy protected  🔅 dim  😩 distraught  😵 dizzy
  📄 document file page paper  🐕 dog woof  💵 dollar_bills  💲 dollars  🤝 done_deal
  🥙 doner_kebab shawarma souvlaki  🍩 donut  🐭 dormouse  🔯 dotted_six_pointed_star  ‼️ double_exclamation
  ⬇️ down south  🎭 drama theater  💭 dream thought  🚰 drinking_water tap_water  🚸 drive_with_care school_crossing
  🤤 drooling  💧 drop water_drop  🥁 drum  🍗 drumstick poultry  ⚔️ duel swords  ➡️ east right
  💸 easy_come_easy_go losing_money  🍴 eating_utensils  ✴️ eight_pointed_star  ⏏️ eject_button  👴 elderly_man
  👵 elderly_woman  🚝 elevated_train  📭 empty_mailbox inbox_zero no_mail  ⚙️ engineer mechanical settings  💚 envy
  💶 euro_banknotes  💱 exchange  😥 exhausted stressed  🤰 expecting pregnant  🍃 fall wind  😨 fear scared shock
  👣 feet  🤺 fencing  🤒 fever flu ill sick  🏑 field_hockey  🔍 find magnifying_glass search  🤞 fingers_crossed
  🚒 fire_truck  🥇 first_place gold number_one  🎣 fishing  👊 fist_bump  🔧 fixing  🔥 flame hot lit  🍮 flan
  🥿 flat_shoe  👡 flip_flops  🌷 flower  📂 folder  🍲 food soup  🔮 fortune_telling future oracle
  ↪️ forward right_hook  🦊 fox  🙁 frown slight_frown  🔋 full_battery  🦎 gecko  🤓 geek nerd  🍨 gelato  🦒 giraffe
  👓 glasses spectacles  🌐 globe www  🌟 glowing_star  🏁 go race start  🥅 goal gooooooooal  👺 goblin
  💽 gold_record  🚠 gondola  🌛 goodnight  👌 got_it ok  🎓 graduate  🟢 green_circle  🟩 green_large_square
  😁 grinning_face_with_smiling_eyes  💗 growing_heart heart_pulse  😡 grumpy mad very_angry  👲 gua_pi_mao  💂 guard
  😇 halo  🔨 handyman handywoman maintenance  😀 happy  ⛑️ hard_hat helmet invincible rescue_worker safety_first
  🌾 harvest  👒 hat  🐣 hatching  🤕 head_bandage hurt injured  ⤵️ heading_down  ⤴️ heading_up  📰 headlines
  💘 heart_arrow smitten  💟 heart_box  ❣️ heart_exclamation  💛 heart_of_gold  💔 heartache  👋 hello hi  😣 helpless
  👠 high_heels  🚄 high_speed_train  🐍 hiss  🎄 holiday_tree  📞 home_phone landline  🍯 honey
  🚥 horizontal_traffic_light  📯 horn  🐎 horse  🏇 horse_riding  ♨️ hot_springs  🐋 humpback_whale  💯 hundred
  🌀 hurricane typhoon  🤐 hush lips_are_sealed quiet silence zip_it  🧊 ice  🏒 ice_hockey  💡 idea light_bulb
  🛂 immigration  😍 in_love  📥 inbox  🔼 increase up_button upvote  ℹ️ info  💉 injection  ☪️ islam
  🎃 jack-o-lantern pumpkin  🏣 japan_post  🉑 japanese_acceptable_button  🈸 japanese_application_button
  🉐 japanese_bargain_button  ㊗️ japanese_congratulations_button  🈹 japanese_discount_button
  🈚 japanese_free_of_charge_button  🈁 japanese_here_button  🈵 japanese_no_vacancy_button
  🈶 japanese_not_free_of_charge_button  🈺 japanese_open_for_business_button  🈴 japanese_passing_grade_button
  🈲 japanese_prohibited_button  🈯 japanese_reserved_button  ㊙️ japanese_secret_button  🈳 japanese_vacancy_button
  🚙 jeep recreational_vehicle  🃏 joker  ✡️ judaism  🤑 kaching money_face  🛴 kick_scooter  👑 king queen  😗 kiss
  😙 kiss_smiling_eyes  😚 kiss_with_blush  🐱 kitten  🥝 kiwi  💻 laptop  🌜 last_quarter_moon_face
  😂 laughter_tears tears  ⬅️ left west  🤛 left_fist  ↩️ left_hook reply  ↔️ left_right swap  🌈 lgbtq pride
  👍 like thumbs_up  🦁 lion  💋 lipstick_kiss  🖖 live_long_and_prosper spock  🔒 locked  🛅 locked_bag locker
  😆 lol  👀 looking  🔊 louder sound  ❤️ love love_you  🤟 love_you_gesture  ↙️ lower_left south_west
  ↘️ lower_right south_east  🍀 lucky  🤥 lying  🔎 magnifying_glass_tilted_right  ✉️ mail  📮 mail_dropoff
  📨 mail_received  📩 mail_sent sealed  🌽 maize  👫 man_and_woman_couple  🍊 mandarin orange  🧉 mate  🍖 meat
  🏅 medal  💊 medicine  📣 megaphone shout  👬 men_couple  🕎 menorah  ☄️ meteor  Ⓜ️ metro  🎤 mic mike  🥛 milk
  ⛏️ mine  😛 mischievous  💰 money  🌙 moon  🎑 moon_ceremony  🌝 moon_face  🛵 motor_bike scooter  🚵 mountain_biker
  🌄 mountain_sunrise  🐁 mouse  👄 mouth  🎦 movie_theater  🚚 moving_truck  ✖️ multiplication multiply  🎵 music
  🎶 musical_notes  🔕 mute_notifications  💅 nail_polish  🙏 namaste thank_you welcome  🍥 naruto
  🤢 nauseated queasy  🔞 nc17  😐 neutral  🐥 new_baby  🌚 new_moon_face  🗽 new_york statue
  ⏭️ next_track skip_forward  🌃 night  🌌 night_sky  📵 no_phones  🙅 no_signal nope  🔇 no_sound  🍜 noodles
  ⬆️ north up  ↗️ north_east upper_right  ↖️ north_west upper_left  🚫 not_allowed prohibited  📝 note
  🔔 notifications  ☢️ nuclear radioactive  🔢 numbers  🌅 ocean_sunrise  👹 ogre  🐖 oink pig  🙆 ok_signal
  🧓 older_person  🚘 oncoming_car  🚊 oncoming_streetcar oncoming_tram oncoming_trolley  🚆 oncoming_train
  🩱 one_piece_swimsuit  🍙 onigiri  🙃 oops upside_down  🟠 orange_circle  🟧 orange_square  📁 organize  📤 outbox
  ☁️ overcast  🥘 paella  😧 pained  🎨 painting palette  🐼 panda  〽️ part_alternation  🎫 pass  ⏸️ pause  🐾 paws
  ☮️ peace  ✌️ peace_sign victory  🚶 pedestrian  ✏️ pencil  🧑 person  🧔 person_beard  👱 person_blond_hair
  🧎 person_kneeling  🙎 person_pouting  🧍 person_standing  💁 person_tipping_hand  📴 phone_off  🎹 piano
  🙋 pick_me  🐷 piglet  💩 pile_of_poo  📍 pin sewing_pin  🏓 ping_pong table_tennis  📑 place_holder  🌿 plant
  ▶️ play  ⏯️ play_pause  ◀️ play_reverse  🎴 playing_cards  👆 point_up this  👮 police  🐴 pony  🏤 post_office
  💷 pound_notes  🙌 praise  🎁 present  ⏮️ previous_track skip_back  🐶 puppy  🟣 purple_circle  🟪 purple_square
  📌 push_pin thumb_tack  🧩 puzzle_piece  🐇 rabbit  📃 receipt  ⏺️ record  📕 red_book  🟥 red_square
  🔻 red_triangle_down  🔺 red_triangle_up  🚕 rideshare  🤜 right_fist  🤖 robot  🗿 rock_carving  🤘 rock_on
  🤣 rofl  🙄 rolling_eyes  📇 rolodex  🏉 rugby  📏 ruler straightedge  🎽 running_shirt  👟 running_shoe sneaker
  🥗 salad  📸 say_cheese taking_a_picture  🚌 school_bus  🔬 science scientist  🔩 screw  🥈 second_place silver
  💫 seeing_stars  🍘 senbei  👤 shadow silhouette  👥 shadows silhouettes  🏯 shiro  🌠 shooting_star wish
  🛒 shopping_cart  🔀 shuffle  🚡 ski_lift  🥃 small_glass  🙂 smile  😈 smiling_devil smiling_face_with_horns
  ☺️ smiling_face  🥰 smiling_face_with_hearts  😏 smug  😼 smug_cat  🤧 sneezing  🍦 soft_ice_cream soft_serve
  🔉 softer  🎌 solidarity  📒 spiral_notebook  🌱 sprout  🆗 squared_ok  🆙 squared_up  💹 stock_market  🤚 stop
  ⏹️ stop_button  🛑 stop_sign  🚋 streetcar tram  🎳 strike  💈 striped_pole  🏡 suburb  🚇 subway  🌞 sun_face
  🌆 sunset  🏄 surf  😮 surprise  🏊 swim  📺 television  🍤 tempura  🔟 ten  🤔 thinking  👎 thumbs_down
  ⛈️ thunder_and_rain thunderstorm  👔 tie  🐅 tiger  🐯 tiger_cub  ⏲️ timer  😔 tired  🎩 top_hat  🐢 tortoise
  🗼 tower  ™️ trademark  🚦 traffic_light  🚂 train  🚃 train_car  🌳 tree  🚩 triangular_flag  🚎 trolley  👳 turban
  🤵 tuxedo  👽 ufo  💬 umm  🦄 unicorn  🔓 unlocked  📬 unread_mail  ↕️ up_down  🏺 vase  📹 video_recorder
  📼 videocassette  🚾 water_closet  🌔 waxing_moon  🙀 weary_cat  🔲 white_and_black_square  🦯 white_cane  🍷 wine
  🏆 winner  🎋 wish_tree  🧕 woman_with_headscarf  👭 women_couple  🤼 wrestling  ✍️ writing  🍠 yam
  🟡 yellow_circle  🟨 yellow_large_square  💴 yen_banknotes  🦓 zebra  ♿ accessible disabled  ➕ add plus
  ✅ all_good approved check  ⛺ camping  ⭕ circle  ❌ cross_mark incorrect wrong  ➗ divide division
  ⏬ double_down fast_down  ➿ double_loop voicemail  ⏫ double_up fast_up  ⏪ fast_reverse  ⚽ football  ⛄ frosty
  ⛽ fuel_pump gas_pump petrol_pump  ✨ glamour  ⚡ high_voltage  ⛳ hole_in_one  ⏳ hourglass time_ticking
  ⌛ hourglass_done times_up  ➰ loop  ➖ minus subtract  ⛅ partly_cloudy  ✊ power  ☔ umbrella_with_rain  ⛔ wrong_way
  ❎ x  🧔‍♀️ woman_beard  👱‍♀️ woman_blond_hair  👷‍♀️ woman_construction_worker  🧝‍♀️ woman_elf  🧚‍♀️ woman_fairy
  🧞‍♀️ woman_genie  💂‍♀️ woman_guard  🧙‍♀️ woman_mage  👮‍♀️ woman_police_officer  🦸‍♀️ woman_superhero
  🦹‍♀️ woman_supervillain  🧛‍♀️ woman_vampire  🧟‍♀️ woman_zombie  👯‍♀️ women_with_bunny_ears
  🤼‍♀️ women_wrestling  🧔‍♂️ man_beard  👱‍♂️ man_blond_hair  👷‍♂️ man_construction_worker  🧝‍♂️ man_elf
  🧚‍♂️ man_fairy  🧞‍♂️ man_genie  💂‍♂️ man_guard  🧙‍♂️ man_mage  👮‍♂️ man_police_officer  🦸‍♂️ man_superhero
  🦹‍♂️ man_supervillain  🧛‍♂️ man_vampire  🧟‍♂️ man_zombie  👯‍♂️ men_with_bunny_ears  🤼‍♂️ men_wrestling
  👨‍⚕️ man_health_worker  👩‍⚕️ woman_health_worker  👨‍⚖️ man_judge  👩‍⚖️ woman_judge  👨‍✈️ man_pilot
  👩‍✈️ woman_pilot  👨‍❤️‍👨 couple_with_heart_man_man  👩‍❤️‍👨 couple_with_heart_woman_man
  👩‍❤️‍👩 couple_with_heart_woman_woman  👨‍❤️‍💋‍👨 kiss_man_man  👩‍❤️‍💋‍👨 kiss_woman_man
  👩‍❤️‍💋‍👩 kiss_woman_woman  👨‍🌾 man_farmer  👩‍🌾 woman_farmer  👨‍🍳 man_cook  👩‍🍳 woman_cook
  👨‍🎓 man_student  👩‍🎓 woman_student  👨‍🎤 man_singer  👩‍🎤 woman_singer  👨‍🎨 man_artist  👩‍🎨 woman_artist
  👨‍🏫 man_teacher  👩‍🏫 woman_teacher  👨‍🏭 man_factory_worker  👩‍🏭 woman_factory_worker  👨‍👦 family_man_boy
  👩‍👦 family_woman_boy  👨‍👦‍👦 family_man_boy_boy  👩‍👦‍👦 family_woman_boy_boy  👨‍👧 family_man_girl
  👩‍👧 family_woman_girl  👨‍👧‍👦 family_man_girl_boy  👩‍👧‍👦 family_woman_girl_boy  👨‍👧‍👧 family_man_girl_girl
  👩‍👧‍👧 family_woman_girl_girl  👨‍👨‍👦 family_man_man_boy  👨‍👨‍👦‍👦 family_man_man_boy_boy
  👨‍👨‍👧 family_man_man_girl  👨‍👨‍👧‍👦 family_man_man_girl_boy  👨‍👨‍👧‍👧 family_man_man_girl_girl
  👨‍👩‍👦 family_man_woman_boy  👩‍👩‍👦 family_woman_woman_boy  👨‍👩‍👦‍👦 family_man_woman_boy_boy
  👩‍👩‍👦‍👦 family_woman_woman_boy_boy  👨‍👩‍👧 family_man_woman_girl  👩‍👩‍👧 family_woman_woman_girl
  👨‍👩‍👧‍👦 family_man_woman_girl_boy  👩‍👩‍👧‍👦 family_woman_woman_girl_boy
  👨‍👩‍👧‍👧 family_man_woman_girl_girl  👩‍👩‍👧‍👧 family_woman_woman_girl_girl  👨‍💻 man_technologist
  👩‍💻 woman_technologist  👨‍💼 man_office_worker  👩‍💼 woman_office_worker  👨‍🔧 man_mechanic
  👩‍🔧 woman_mechanic  👨‍🔬 man_scientist  👩‍🔬 woman_scientist  👨‍🚀 man_astronaut  👩‍🚀 woman_astronaut
  👨‍🚒 man_firefighter  👩‍🚒 woman_firefighter  👨‍🦯 man_with_white_cane  🧑‍🦯 person_with_white_cane
  👩‍🦯 woman_with_white_cane  👨‍🦰 man_red_hair  🧑‍🦰 person_red_hair  👩‍🦰 woman_red_hair  👨‍🦱 man_curly_hair
  🧑‍🦱 person_curly_hair  👩‍🦱 woman_curly_hair  👨‍🦲 man_bald  🧑‍🦲 person_bald  👩‍🦲 woman_bald
  👨‍🦳 man_white_hair  🧑‍🦳 person_white_hair  👩‍🦳 woman_white_hair  *️⃣ asterisk
  🇧🇦 flag_bosnia_and_herzegovina  🇨🇦 flag_canada  🇪🇦 flag_ceuta_and_melilla  🇬🇦 flag_gabon  🇱🇦 flag_laos
  🇲🇦 flag_morocco  🇳🇦 flag_namibia  🇵🇦 flag_panama  🇶🇦 flag_qatar  🇸🇦 flag_saudi_arabia
  🇿🇦 flag_south_africa  🇹🇦 flag_tristan_da_cunha  🇺🇦 flag_ukraine  🇻🇦 flag_vatican_city  🇧🇧 flag_barbados
  🇱🇧 flag_lebanon  🇸🇧 flag_solomon_islands  🇬🇧 flag_united_kingdom  🇦🇨 flag_ascension_island
  🇮🇨 flag_canary_islands  🇨🇨 flag_cocos_keeling_islands  🇪🇨 flag_ecuador  🇲🇨 flag_monaco
  🇳🇨 flag_new_caledonia  🇸🇨 flag_seychelles  🇱🇨 flag_st_lucia  🇻🇨 flag_st_vincent_and_grenadines
  🇹🇨 flag_turks_and_caicos_islands  🇦🇩 flag_andorra  🇧🇩 flag_bangladesh  🇹🇩 flag_chad
  🇨🇩 flag_congo_kinshasa  🇬🇩 flag_grenada  🇮🇩 flag_indonesia  🇲🇩 flag_moldova  🇸🇩 flag_sudan
  🇧🇪 flag_belgium  🇪🇪 flag_estonia  🇬🇪 flag_georgia  🇩🇪 flag_germany  🇮🇪 flag_ireland  🇯🇪 flag_jersey
  🇰🇪 flag_kenya  🇲🇪 flag_montenegro  🇳🇪 flag_niger  🇵🇪 flag_peru  🇷🇪 flag_reunion  🇸🇪 flag_sweden
  🇦🇪 flag_united_arab_emirates  🇻🇪 flag_venezuela  🇾🇪 flag_yemen  🇦🇫 flag_afghanistan  🇧🇫 flag_burkina_faso
  🇨🇫 flag_central_african_republic  🇬🇫 flag_french_guiana  🇵🇫 flag_french_polynesia
  🇹🇫 flag_french_southern_territories  🇳🇫 flag_norfolk_island  🇲🇫 flag_st_martin  🇼🇫 flag_wallis_and_futuna
  🇦🇬 flag_antigua_and_barbuda  🇻🇬 flag_british_virgin_islands  🇧🇬 flag_bulgaria  🇨🇬 flag_congo_brazzaville
  🇩🇬 flag_diego_garcia  🇪🇬 flag_egypt  🇬🇬 flag_guernsey  🇰🇬 flag_kyrgyzstan  🇲🇬 flag_madagascar
  🇳🇬 flag_nigeria  🇵🇬 flag_papua_new_guinea  🇸🇬 flag_singapore  🇹🇬 flag_togo  🇺🇬 flag_uganda
  🇧🇭 flag_bahrain  🇰🇭 flag_cambodia  🇬🇭 flag_ghana  🇲🇭 flag_marshall_islands  🇵🇭 flag_philippines
  🇸🇭 flag_st_helena  🇨🇭 flag_switzerland  🇹🇭 flag_thailand  🇪🇭 flag_western_sahara  🇦🇮 flag_anguilla
  🇧🇮 flag_burundi  🇨🇮 flag_cote_divoire  🇫🇮 flag_finland  🇬🇮 flag_gibraltar  🇰🇮 flag_kiribati
  🇱🇮 flag_liechtenstein  🇳🇮 flag_nicaragua  🇸🇮 flag_slovenia  🇻🇮 flag_us_virgin_islands  🇧🇯 flag_benin
  🇩🇯 flag_djibouti  🇫🇯 flag_fiji  🇸🇯 flag_svalbard_and_jan_mayen  🇹🇯 flag_tajikistan  🇨🇰 flag_cook_islands
  🇩🇰 flag_denmark  🇫🇰 flag_falkland_islands  🇭🇰 flag_hong_kong_sar_china  🇽🇰 flag_kosovo
  🇲🇰 flag_north_macedonia  🇵🇰 flag_pakistan  🇸🇰 flag_slovakia  🇱🇰 flag_sri_lanka  🇹🇰 flag_tokelau
  🇦🇱 flag_albania  🇨🇱 flag_chile  🇬🇱 flag_greenland  🇮🇱 flag_israel  🇲🇱 flag_mali  🇳🇱 flag_netherlands
  🇵🇱 flag_poland  🇸🇱 flag_sierra_leone  🇧🇱 flag_st_barthelemy  🇹🇱 flag_timor_leste  🇦🇲 flag_armenia
  🇧🇲 flag_bermuda  🇨🇲 flag_cameroon  🇰🇲 flag_comoros  🇩🇲 flag_dominica  🇬🇲 flag_gambia
  🇭🇲 flag_heard_and_mcdonald_islands  🇮🇲 flag_isle_of_man  🇯🇲 flag_jamaica  🇫🇲 flag_micronesia
  🇲🇲 flag_myanmar_burma  🇴🇲 flag_oman  🇸🇲 flag_san_marino  🇵🇲 flag_st_pierre_and_miquelon
  🇹🇲 flag_turkmenistan  🇺🇲 flag_us_outlying_islands  🇿🇲 flag_zambia  🇧🇳 flag_brunei  🇨🇳 flag_china
  🇬🇳 flag_guinea  🇭🇳 flag_honduras  🇮🇳 flag_india  🇲🇳 flag_mongolia  🇵🇳 flag_pitcairn_islands
  🇸🇳 flag_senegal  🇰🇳 flag_st_kitts_and_nevis  🇹🇳 flag_tunisia  🇺🇳 flag_united_nations  🇻🇳 flag_vietnam
  🇦🇴 flag_angola  🇧🇴 flag_bolivia  🇮🇴 flag_british_indian_ocean_territory  🇨🇴 flag_colombia
  🇩🇴 flag_dominican_republic  🇫🇴 flag_faroe_islands  🇯🇴 flag_jordan  🇲🇴 flag_macao_sar_china  🇳🇴 flag_norway
  🇷🇴 flag_romania  🇸🇴 flag_somalia  🇹🇴 flag_tonga  🇨🇵 flag_clipperton_island  🇬🇵 flag_guadeloupe
  🇯🇵 flag_japan  🇳🇵 flag_nepal  🇰🇵 flag_north_korea  🇲🇵 flag_northern_mariana_islands  🇦🇶 flag_antarctica
  🇧🇶 flag_caribbean_netherlands  🇬🇶 flag_equatorial_guinea  🇮🇶 flag_iraq  🇲🇶 flag_martinique
  🇦🇷 flag_argentina  🇧🇷 flag_brazil  🇨🇷 flag_costa_rica  🇭🇷 flag_croatia  🇪🇷 flag_eritrea  🇫🇷 flag_france
  🇬🇷 flag_greece  🇮🇷 flag_iran  🇱🇷 flag_liberia  🇲🇷 flag_mauritania  🇳🇷 flag_nauru  🇵🇷 flag_puerto_rico
  🇰🇷 flag_south_korea  🇸🇷 flag_suriname  🇹🇷 flag_turkiye  🇦🇸 flag_american_samoa  🇧🇸 flag_bahamas
  🇮🇸 flag_iceland  🇱🇸 flag_lesotho  🇲🇸 flag_montserrat  🇵🇸 flag_palestinian_territories  🇼🇸 flag_samoa
  🇷🇸 flag_serbia  🇬🇸 flag_south_georgia_and_south_sandwich_islands  🇸🇸 flag_south_sudan  🇪🇸 flag_spain
  🇺🇸 flag_united_states  🇦🇹 flag_austria  🇧🇹 flag_bhutan  🇪🇹 flag_ethiopia  🇬🇹 flag_guatemala
  🇭🇹 flag_haiti  🇮🇹 flag_italy  🇱🇹 flag_lithuania  🇲🇹 flag_malta  🇾🇹 flag_mayotte  🇵🇹 flag_portugal
  🇸🇹 flag_sao_tome_and_principe  🇹🇹 flag_trinidad_and_tobago  🇦🇺 flag_australia  🇨🇺 flag_cuba
  🇪🇺 flag_european_union  🇬🇺 flag_guam  🇭🇺 flag_hungary  🇱🇺 flag_luxembourg  🇲🇺 flag_mauritius
  🇳🇺 flag_niue  🇷🇺 flag_russia  🇻🇺 flag_vanuatu  🇧🇻 flag_bouvet_island  🇨🇻 flag_cape_verde
  🇸🇻 flag_el_salvador  🇱🇻 flag_latvia  🇲🇻 flag_maldives  🇹🇻 flag_tuvalu  🇦🇼 flag_aruba  🇧🇼 flag_botswana
  🇨🇼 flag_curacao  🇬🇼 flag_guinea_bissau  🇰🇼 flag_kuwait  🇲🇼 flag_malawi  🇵🇼 flag_palau  🇷🇼 flag_rwanda
  🇹🇼 flag_taiwan  🇿🇼 flag_zimbabwe  🇦🇽 flag_aland_islands  🇨🇽 flag_christmas_island  🇲🇽 flag_mexico
  🇸🇽 flag_sint_maarten  🇧🇾 flag_belarus  🇰🇾 flag_cayman_islands  🇨🇾 flag_cyprus  🇬🇾 flag_guyana
  🇱🇾 flag_libya  🇲🇾 flag_malaysia  🇵🇾 flag_paraguay  🇸🇾 flag_syria  🇺🇾 flag_uruguay  🇩🇿 flag_algeria
  🇦🇿 flag_azerbaijan  🇧🇿 flag_belize  🇨🇿 flag_czechia  🇸🇿 flag_eswatini  🇰🇿 flag_kazakhstan
  🇲🇿 flag_mozambique  🇳🇿 flag_new_zealand  🇹🇿 flag_tanzania  🇺🇿 flag_uzbekistan
  🕵️ agent detective sleuth sneaky spy  🗯️ anger_bubble  🕹️ arcade  🗃️ archive  🗳️ ballot_box
  🖊️ ballpoint_pen pen  🏖️ beach  🛏️ bedroom  🏕️ campsite  🌶️ chili_pepper  🏙️ city skyline  🌥️ cloudy
  🗝️ clue dungeon encrypted hint secret  🛢️ commodities  🖱️ computer_mouse  🏚️ condemned derelict_house
  🏗️ construction  🖍️ crayon  🛳️ cruise yacht  🗡️ dagger rated_for_violence  🛎️ ding reception services  🕊️ dove
  🌧️ drenched rainy soaked  🎞️ film  🍽️ fork_and_knife_with_plate hungry lets_eat meal table_setting
  🖋️ fountain_pen  🖼️ framed_picture picture  🛋️ furniture lifestyles living_room  🏌️ golf
  🏋️ gym lift weight_lift work_out  🌫️ hazy  🖐️ high_five palm  🕉️ hinduism om  🏘️ houses  🕴️ hover levitating
  🏝️ island  🈷️ japanese_monthly_amount_button  🈂️ japanese_service_charge_button  🌩️ lightning_storm
  🖇️ linked office_supplies paperclip_chain  🗺️ map road_trip  🎖️ military_medal  🌬️ mother_nature windy
  🏍️ motorcycle  📽️ movie projector  🗞️ newspaper swat  🅾️ o  🅿️ p  🖌️ paintbrush
  🌦️ partly_sunny_with_rain sun_and_rain sunshowers  🏷️ price_tag tag  🏎️ racecar  🛣️ road  🌨️ snowstorm snowy
  🏔️ snowy_mountain  🗂️ sort  🗣️ speaking_head  🗨️ speech_bubble  🗓️ spiral_calendar  🗒️ spiral_notepad
  🏳️ surrender white_flag  🌡️ temperature warm  🎟️ ticket  🛠️ tools working_on_it  🛤️ train_tracks  🗑️ trash_can
  🗜️ vise  🎚️ volume  🕸️ web  🕵️‍♀️ woman_detective  🕵️‍♂️ man_detective
`)
